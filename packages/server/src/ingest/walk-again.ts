import type { Batch, Cursor } from "../definition/connector.ts";
import { cursorNumber } from "../definition/cursor-number.ts";

/** Maximum number of walks of a range. */
const MAX_WALKS = 5;

/** Index of the current walk of a range, from 0, and how many rows it found that were not stored. */
type Place = { readonly walk: number; found: number };

export function placeOfWalk(cursor: Cursor | undefined): Place {
  return { walk: cursorNumber(cursor, "walk") ?? 0, found: cursorNumber(cursor, "found") ?? 0 };
}

/** A further walk stores missing rows and leaves existing ones unchanged. */
export function walkedAgain(batch: Batch): Batch {
  return { ...batch, rows: batch.rows.map((rows) => (rows.allOf ? rows : { ...rows, mode: "if_absent" })) };
}

/** The state of a range after a walk of it: `isCaughtUp` if no further walk is needed, or attempted. */
export function nextWalk({ walk, found }: Place): Batch {
  const isLast = walk + 1 >= MAX_WALKS;
  const isSame = walk > 0 && found === 0;
  const text = isLast
    ? `the last of ${MAX_WALKS} backfill walks found rows that earlier ones had not`
    : "a further backfill walk found rows that the one before it had not";
  return {
    rows: [],
    cursor: { walk: walk + 1, found: 0 },
    isCaughtUp: isSame || isLast,
    ...(walk > 0 && found > 0 && { notices: [{ kind: "upstream_note", text, count: found }] }),
  };
}
