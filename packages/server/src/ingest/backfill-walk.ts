import type { Batch, Cursor, TableRows } from "../definition/connector.ts";
import { cursorNumber } from "../definition/cursor-number.ts";
import { hasVersions } from "../store/ddl.ts";
import type { Clock } from "./clock.ts";

/**
 * Yields the items of `source` in order, and fetches the next one while the previous is processed. When the consumer
 * stops or throws, the pending fetch is awaited and `source` is closed. An error of `source` is thrown in order.
 */
export async function* prefetch<Item>(source: AsyncGenerator<Item, void, void>): AsyncGenerator<Item, void, void> {
  const fetchNext = (): ReturnType<typeof source.next> => {
    const next = source.next();
    // The error is thrown where the item is awaited.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = fetchNext(); ;) {
      const step = await next;
      if (step.done) return;
      next = fetchNext();
      yield step.value;
    }
  } finally {
    await source.return().catch(() => undefined);
  }
}

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

/** An engine statement costs as much for ten rows as for a thousand, and each batch needs some for every table. */
const MAX_ROWS = 10_000;
const MAX_MS = 5000;

export type WriteTogether = {
  /** Writes a batch together with earlier ones, or keeps it until there are more. */
  readonly add: (batch: Batch) => Promise<void>;
  /** Writes the kept batches. */
  readonly end: () => Promise<void>;
};

/**
 * Writes batches of a walk together. `written` is called for each, in order, once its rows are stored, with the number
 * of new rows since the last call. Failed batches are kept, and written again with the next call.
 */
export function createWriteTogether(
  write: (rows: TableRows) => Promise<number>,
  written: (batch: Batch, stored: number) => void,
  clock: Clock,
): WriteTogether {
  const kept: Batch[] = [];
  let since = 0;
  const end = async (): Promise<void> => {
    let stored = 0;
    for (const rows of joined(kept)) stored += await write(rows);
    for (const batch of kept.splice(0)) {
      written(batch, stored);
      stored = 0;
    }
  };
  return {
    add: async (batch) => {
      const isPlain = batch.rows.every(isJoinable);
      if (!isPlain) await end();
      if (kept.length === 0) since = clock.monotonicMs();
      kept.push(batch);
      if (!isPlain || countOf(kept) >= MAX_ROWS || clock.monotonicMs() - since >= MAX_MS) await end();
    },
    end,
  };
}

/** With versions, a later row may repeat what is stored after a different one between: each is compared separately. */
const isJoinable = ({ table, mode, allOf }: TableRows): boolean =>
  mode === undefined && allOf === undefined && !hasVersions(table);

const countOf = (batches: readonly Batch[]): number =>
  batches.flatMap((batch) => batch.rows).reduce((sum, { rows }) => sum + rows.length, 0);

/** The rows of several batches, merged by table; a single batch's as they are, whether joinable or not. */
function joined(batches: readonly Batch[]): readonly TableRows[] {
  if (batches.length < 2) return batches.flatMap(({ rows }) => rows);
  const tables = Map.groupBy(
    batches.flatMap(({ rows }) => rows),
    ({ table }) => table,
  );
  return Array.from(tables, ([table, all]) => ({ table, rows: all.flatMap(({ rows }) => rows) }));
}
