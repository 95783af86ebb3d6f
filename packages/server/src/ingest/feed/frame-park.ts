import type { Asking } from "./ask-upstream.ts";
import type { WrongFrame } from "./frame-reader.ts";

const A_MINUTE = 60_000;
/** When all that comes is of a wrong shape, some frames of each minute tell as much as thousands. */
const MOST_A_MINUTE = 100;

/**
 * Parks frames with gaps at their moments. Beyond a bound only the last of them is kept, with a gap from the first one's
 * moment to its own: what was met before has its gap already.
 */
export function createFramePark(
  { host, stream, clock, log, metrics, park }: Asking,
  from: { readonly route: string; readonly path: string },
): (wrong: readonly WrongFrame[]) => Promise<void> {
  let minute = { since: clock.now(), parked: 0 };
  const room = (): number => {
    if (clock.now() - minute.since >= A_MINUTE) minute = { since: clock.now(), parked: 0 };
    return Math.max(0, MOST_A_MINUTE - minute.parked);
  };
  return async (wrong) => {
    const last = wrong.at(-1);
    if (last === undefined) return;
    const moments = wrong.map(({ at }) => at);
    const whole = { from: Math.min(...moments), to: Math.max(...moments) };
    const some = wrong.slice(0, Math.min(wrong.length - 1, room()));
    const skipped = wrong.length - 1 - some.length;
    metrics.changed.inc({ host: host.name, route: from.route, stream }, wrong.length);
    if (skipped > 0) metrics.frames.inc({ stream, outcome: "unparked" }, skipped);
    log.error({ event: "upstream_changed", stream, ...last.wrong, frames: wrong.length, skipped }, "upstream_changed");
    for (const { text, wrong: shape, at } of some) {
      await park({ stream, host: host.name, ...from, ...shape, body: text, missing: { from: at, to: at } });
    }
    await park({ stream, host: host.name, ...from, ...last.wrong, body: last.text, missing: whole });
    minute.parked += some.length + 1;
  };
}
