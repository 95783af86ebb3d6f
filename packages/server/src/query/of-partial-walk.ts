import type { Coverage } from "../definition/coverage.ts";

const REASON =
  "An earlier page of this walk was incomplete, and the walk omits rows stored since; start again without a cursor.";

/**
 * Coverage of a later page after an incomplete one: the walk omits rows stored since, even if coverage is complete now.
 */
export function ofPartialWalk(held: Coverage): Coverage {
  return held.complete ? { ...held, complete: false, reasons: [REASON] } : held;
}
