import type { Alarm } from "./alarms.ts";
import type { TrueJump } from "./jump-world.ts";

/** A move may begin so long (ms) after the jump that made it: quotes and traders follow in tens of minutes. */
export const LATEST_BEGIN_MS = 90 * 60_000;

/** Whether an alarm is about a jump: same market and direction, begun at most 90 minutes after it and ended after it. */
export function isAbout(alarm: Alarm, jump: TrueJump): boolean {
  return (
    alarm.market === jump.market &&
    alarm.isUp === jump.size > 0 &&
    alarm.from <= jump.ms + LATEST_BEGIN_MS &&
    alarm.to > jump.ms
  );
}
