import type { Alarm } from "./alarms.ts";
import { isAbout } from "./match-jumps.ts";
import type { JumpMarket, JumpWorld, TrueJump } from "./jump-world.ts";
import { matchRate } from "./minute-log.ts";
import { shownMove } from "./shown-move.ts";

export type Judged = {
  /** Surest first; whether a dated jump is behind each, and the trades a minute before it. */
  readonly alarms: readonly JudgedAlarm[];
  readonly jumps: readonly JudgedJump[];
};

export type JudgedAlarm = {
  readonly alarm: Alarm;
  readonly score: number;
  readonly isTrue: boolean;
  readonly perMinute: number;
};

export type JudgedJump = {
  readonly jump: TrueJump;
  /** How far the quotes went in its direction (USD). */
  readonly shown: number;
  /** Score of the surest alarm about it; undefined where there is none. */
  readonly score: number | undefined;
};

/** Holds alarms against the dated jumps of their world. Any dated jump makes an alarm true, however small. */
export function judge(world: JumpWorld, alarms: readonly Alarm[]): Judged {
  const byMarket = Map.groupBy(world.jumps, ({ market }) => market);
  const markets = new Map<string, JumpMarket>(world.markets.map((market) => [market.condition_id, market]));
  const shownOf = (jump: TrueJump): number => {
    const market = markets.get(jump.market);
    return market === undefined ? 0 : shownMove(world, market, jump);
  };
  const alarmsOf = Map.groupBy(alarms, ({ market }) => market);
  return {
    alarms: alarms.map((alarm) => ({
      alarm,
      score: alarm.score,
      isTrue: (byMarket.get(alarm.market) ?? []).some((jump) => isAbout(alarm, jump)),
      perMinute: matchRate(world.minutes, alarm.market, alarm.to),
    })),
    jumps: world.jumps.map((jump) => {
      const scores = (alarmsOf.get(jump.market) ?? [])
        .filter((alarm) => isAbout(alarm, jump))
        .map(({ score }) => score);
      return { jump, shown: shownOf(jump), score: scores.length === 0 ? undefined : Math.max(...scores) };
    }),
  };
}
