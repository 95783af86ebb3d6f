import type { Day, Fold, FoldReader, Touched, FoldRows, FoldSlice } from "../../definition/fold.ts";
import type { TableDefinition } from "../../definition/table.ts";
import type { Store } from "../../store/store.ts";
import { planSlices, SLICE, type SliceLimits } from "./plan-slices.ts";
import { isOneOf } from "../../definition/filter.ts";
import { joinPacked, type PackedRows } from "../../definition/packed-rows.ts";
import { bind, name, nothing, sql } from "../../definition/sql.ts";
import { keyColumns, keyLength, sortedByKey } from "./key-sql.ts";
import { withTombstones } from "./with-tombstones.ts";
import type { Checkpoints } from "./checkpoints.ts";

export type FoldEngine = {
  readonly fold: Fold;
  readonly store: Store;
  readonly read: FoldReader;
  readonly checkpoints: Checkpoints;
  readonly limits?: SliceLimits;
};

export type Done = { readonly keys: number; readonly rows: number };

/** Other work that long work yields to between two slices, while none of its own is running. */
export type Between = { readonly isDue: () => boolean; readonly run: () => Promise<void> };

/**
 * Folds touched keys slice by slice, as a pipeline: while one slice is read, the previous is folded and the one before
 * that is written; except the stretches of one key, each of which continues from what the last one wrote. Throws
 * StoreError, or the signal's reason.
 */
export async function workTouched(
  engine: FoldEngine,
  touched: Touched,
  closed: Day,
  signal: AbortSignal,
  between?: Between,
): Promise<Done> {
  const { checkpoints, limits = SLICE } = engine;
  const line = createLine(engine);
  const moved = new Map<string, Day>();
  try {
    for await (const { isStretch, ...slice } of planSlices(engine, checkpoints.startOf(touched), closed, limits)) {
      signal.throwIfAborted();
      const isDue = between?.isDue() === true;
      if (isStretch || isDue) await line.settle();
      if (isDue) await between?.run();
      const keys = stillFrom(checkpoints, slice, moved);
      if (keys.length > 0) await line.add(workSlice(engine, { ...slice, keys, closed }), keys.length);
      if (isStretch) await line.settle();
    }
  } finally {
    await line.settle();
  }
  if (moved.size === 0) return line.done;
  const rest = await workTouched(engine, moved, closed, signal, between);
  return { keys: line.done.keys + rest.keys, rows: line.done.rows + rest.rows };
}

/** Keys that still start at the slice's first day; work run in between may have removed their earlier checkpoint. */
function stillFrom(
  checkpoints: Checkpoints,
  { keys, from }: Pick<FoldSlice, "keys" | "from">,
  moved: Map<string, Day>,
): readonly string[] {
  const starts = checkpoints.startOf(new Map(keys.map((key) => [key, from])));
  for (const [key, day] of starts) if (day < from) moved.set(key, day);
  return keys.filter((key) => starts.get(key) === from);
}

/** Writing a slice of few rows costs more than its rows: up to this many wait for those of the next slice. */
const ROWS_A_WRITE = 30_000;

/** Slices in progress, in order: one being folded, and earlier ones that are written together. */
function createLine({ store }: FoldEngine) {
  const done = { keys: 0, rows: 0 };
  let working: Promise<void> = Promise.resolve();
  let writing: Promise<void> = Promise.resolve();
  let waiting: { readonly made: readonly MadeRows[]; readonly keys: number }[] = [];
  const writeAll = async (slices: typeof waiting): Promise<void> => {
    const stored = await writeRows(
      store,
      slices.flatMap(({ made }) => made),
    );
    done.rows += stored;
    for (const { keys } of slices) done.keys += keys;
  };
  /** Waits for the current write, then starts writing all waiting slices. */
  const write = async (): Promise<void> => {
    await writing;
    writing = writeAll(waiting);
    writing.catch(() => undefined);
    waiting = [];
  };
  const follow = async (made: Promise<readonly MadeRows[]>, keys: number): Promise<void> => {
    waiting.push({ made: await made, keys });
    if (countRows(waiting.flatMap((slice) => slice.made)) > ROWS_A_WRITE) await write();
  };
  return {
    done,
    /** Takes a slice once the previous one is folded. */
    add: async (made: Promise<readonly MadeRows[]>, keys: number): Promise<void> => {
      made.catch(() => undefined);
      await working;
      working = follow(made, keys);
      working.catch(() => undefined);
    },
    /** Waits until everything is written. */
    settle: async (): Promise<void> => {
      try {
        await working;
      } finally {
        if (waiting.length > 0) await write();
        await writing;
      }
    },
  };
}

const countRows = (made: readonly MadeRows[]): number => made.reduce((sum, { rows }) => sum + rows.starts.length, 0);

/** `isNew`: none of the table's rows for this slice is stored. */
type MadeRows = FoldRows & { readonly isNew: boolean };

/** Folds a slice: returns its rows, and a tombstone for each stored row that no longer exists. Writes nothing. */
async function workSlice({ fold, read, checkpoints }: FoldEngine, slice: FoldSlice): Promise<readonly MadeRows[]> {
  const [{ rows: made, keys: folded }, ...stored] = await Promise.all([
    fold.work(read, slice, checkpoints),
    ...fold.into.map((table) => readKeys(fold, read, table, slice)),
  ]);
  checkpoints.save(slice.from, folded);
  return fold.into.map((table, index) => {
    const rows = made.find((one) => one.table.name === table.name)?.rows ?? joinPacked([]);
    const keys = stored[index] ?? Buffer.alloc(0);
    const gone = goneOf(keyColumns(table).length, rows, keys);
    return { table, rows: withTombstones(table, rows, gone), isNew: keys.length === 0 };
  });
}

/** Stores changed rows, tables in parallel. Resolves to their number, or throws, once all writes have ended. */
async function writeRows(store: Pick<Store, "insert">, made: readonly MadeRows[]): Promise<number> {
  const ofTables = [...Map.groupBy(made, ({ table }) => table)];
  const ended = await Promise.allSettled(
    ofTables.map(([table, parts]) =>
      store.insert(
        table,
        joinPacked(parts.map(({ rows }) => rows)),
        parts.every(({ isNew }) => isNew) ? "absent" : undefined,
      ),
    ),
  );
  let stored = 0;
  for (const one of ended) {
    if (one.status === "rejected") throw one.reason;
    stored += one.value.stored;
  }
  return stored;
}

/** Keys of the rows stored for a slice, concatenated. */
function readKeys(
  fold: Fold,
  read: FoldReader,
  table: TableDefinition,
  { keys, from, to }: FoldSlice,
): Promise<Buffer> {
  const day = name(fold.day);
  const until = to === undefined ? nothing : sql`AND ${day} <= toDate(${bind("String", to)})`;
  return read.bytes(
    sql`SELECT ${keyColumns(table).columns} FROM ${sortedByKey(fold, table)} FINAL WHERE ${isOneOf(name(fold.key), keys, keyLength(fold))} AND ${day} >= toDate(${bind("String", from)}) ${until} AND NOT is_gone`,
    "RowBinary",
  );
}

/** Keys (latin1 text of fixed length) that are stored but not among the rows. */
function goneOf(length: number, rows: PackedRows, stored: Buffer): string[] {
  if (stored.length === 0) return [];
  const kept = new Set(rows.starts.map((start) => rows.bytes.toString("latin1", start, start + length)));
  const gone: string[] = [];
  for (let place = 0; place < stored.length; place += length) {
    const key = stored.toString("latin1", place, place + length);
    if (!kept.has(key)) gone.push(key);
  }
  return gone;
}
