import type { Alarm } from "./alarms.ts";
import type { JumpWorld, TrueJump } from "./jump-world.ts";
import { matchRate } from "./minute-log.ts";

export type Judged = { readonly alarms: readonly JudgedAlarm[]; readonly jumps: readonly JudgedJump[] };

export type JudgedAlarm = {
  readonly score: number;
  /** Whether a dated jump caused it. */
  readonly isTrue: boolean;
  /** Trades per minute before it. */
  readonly perMinute: number;
};

export type JudgedJump = {
  readonly jump: TrueJump;
  /** Score of the most certain alarm about it; undefined if none. */
  readonly score: number | undefined;
};

/** A move may begin this long (ms) after its jump: quotes and traders follow within tens of minutes. */
const LATEST_BEGIN_MS = 90 * 60_000;

/** Whether an alarm matches a jump of its market: same direction, begun at most 90 minutes after it, ended after it. */
const isAbout = (alarm: Alarm, { size, ms }: TrueJump): boolean =>
  alarm.isUp === size > 0 && alarm.from <= ms + LATEST_BEGIN_MS && alarm.to > ms;

/** Compares alarms with the dated jumps of their world. Any dated jump, however small, makes an alarm true. */
export function judge({ jumps, minutes }: JumpWorld, alarms: readonly Alarm[]): Judged {
  const jumpsOf = Map.groupBy(jumps, ({ market }) => market);
  const alarmsOf = Map.groupBy(alarms, ({ market }) => market);
  return {
    alarms: alarms.map((alarm) => ({
      score: alarm.score,
      isTrue: (jumpsOf.get(alarm.market) ?? []).some((jump) => isAbout(alarm, jump)),
      perMinute: matchRate(minutes, alarm.market, alarm.to),
    })),
    jumps: jumps.map((jump) => {
      const scores = (alarmsOf.get(jump.market) ?? [])
        .filter((alarm) => isAbout(alarm, jump))
        .map(({ score }) => score);
      return { jump, score: scores.length === 0 ? undefined : Math.max(...scores) };
    }),
  };
}
