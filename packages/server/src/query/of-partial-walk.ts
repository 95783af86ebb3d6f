import type { Coverage } from "../definition/coverage.ts";

const REASON =
  "An earlier page of this walk was incomplete, and what was stored since is left out of it; start again without a cursor.";

/** Coverage of a later page where an earlier one lacked something: what was stored since is not in the walk, whatever is held now. */
export function ofPartialWalk(held: Coverage): Coverage {
  return held.complete ? { ...held, complete: false, reasons: [REASON] } : held;
}
