import type { Alarm } from "./alarms.ts";
import type { JumpWorld, TrueJump } from "./jump-world.ts";
import { matchRate } from "./minute-log.ts";

export type Judged = { readonly alarms: readonly JudgedAlarm[]; readonly jumps: readonly JudgedJump[] };

export type JudgedAlarm = {
  readonly score: number;
  /** Whether a dated jump is behind it. */
  readonly isTrue: boolean;
  /** Trades a minute before it. */
  readonly perMinute: number;
};

export type JudgedJump = {
  readonly jump: TrueJump;
  /** Score of the surest alarm about it; undefined where there is none. */
  readonly score: number | undefined;
};

/** A move may begin so long (ms) after the jump that made it: quotes and traders follow in tens of minutes. */
const LATEST_BEGIN_MS = 90 * 60_000;

/** Whether an alarm is about a jump of its market: same direction, begun at most 90 minutes after it and ended after it. */
const isAbout = (alarm: Alarm, { size, ms }: TrueJump): boolean =>
  alarm.isUp === size > 0 && alarm.from <= ms + LATEST_BEGIN_MS && alarm.to > ms;

/** Holds alarms against the dated jumps of their world. Any dated jump makes an alarm true, however small. */
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
