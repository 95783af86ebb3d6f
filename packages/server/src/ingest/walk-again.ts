import type { Batch, Cursor } from "../definition/connector.ts";
import { cursorNumber } from "../definition/cursor-number.ts";

/** A range is walked so often at the most. */
const MOST_WALKS = 5;

/** Which walk of a range this is, from 0, and how many rows it has found that were not stored. */
type Place = { readonly walk: number; found: number };

export function placeOfWalk(cursor: Cursor | undefined): Place {
  return { walk: cursorNumber(cursor, "walk") ?? 0, found: cursorNumber(cursor, "found") ?? 0 };
}

/** A further walk stores what is missing and leaves alone what is there. */
export function walkedAgain(batch: Batch): Batch {
  return { ...batch, rows: batch.rows.map((rows) => (rows.allOf ? rows : { ...rows, mode: "if_absent" })) };
}

/** Where a range is at the end of a walk of it: `isCaughtUp` where no further one is needed, or tried. */
export function nextWalk({ walk, found }: Place): Batch {
  const isLast = walk + 1 >= MOST_WALKS;
  const isSame = walk > 0 && found === 0;
  const text = isLast
    ? `the last of ${MOST_WALKS} walks of the past found rows that those before it had not`
    : "a further walk of the past found rows that the one before it had not";
  return {
    rows: [],
    cursor: { walk: walk + 1, found: 0 },
    isCaughtUp: isSame || isLast,
    ...(walk > 0 && found > 0 && { notices: [{ kind: "upstream_note", text, count: found }] }),
  };
}
