import type { Rng } from "../../world/core/rng.ts";

/** Puts a list into another order, in place; a list of two or more is never left as it was. */
export function shuffleRows(rows: unknown[], draw: Rng): void {
  for (let last = rows.length - 1; last > 0; last -= 1) {
    // Never its own place (Sattolo): every row moves.
    const other = draw.below(last);
    [rows[last], rows[other]] = [rows[other], rows[last]];
  }
}
