import type { Alarm } from "./alarms.ts";
import { isAbout } from "./match-jumps.ts";
import type { JumpWorld, TrueJump } from "./jump-world.ts";

export type Judged = {
  /** Alarms, surest first, with whether a dated jump is behind each, and the trades a minute before it. */
  readonly alarms: readonly { readonly score: number; readonly isTrue: boolean; readonly perMinute: number }[];
  /** Jumps, with the score of the surest alarm about each; undefined where there is none. */
  readonly jumps: readonly { readonly jump: TrueJump; readonly score: number | undefined }[];
};

/** Holds alarms against the dated jumps of their world. Any dated jump makes an alarm true, however small. */
export function judge(world: JumpWorld, alarms: readonly Alarm[]): Judged {
  const byMarket = Map.groupBy(world.jumps, ({ market }) => market);
  const alarmsOf = Map.groupBy(alarms, ({ market }) => market);
  return {
    alarms: alarms.map((alarm) => ({
      score: alarm.score,
      isTrue: (byMarket.get(alarm.market) ?? []).some((jump) => isAbout(alarm, jump)),
      perMinute: world.rateAt(alarm.market, alarm.to),
    })),
    jumps: world.jumps.map((jump) => {
      const scores = (alarmsOf.get(jump.market) ?? [])
        .filter((alarm) => isAbout(alarm, jump))
        .map(({ score }) => score);
      return { jump, score: scores.length === 0 ? undefined : Math.max(...scores) };
    }),
  };
}
