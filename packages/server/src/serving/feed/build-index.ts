import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { LAST_SECOND, type ServedTable } from "../../definition/served.ts";
import { bind, fromDefinition, joined, name, sql, type Named } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import type { PlainColumn } from "../batch.ts";
import { layoutOf } from "../layout.ts";
import { ServingWriter, type Marks } from "../writer.ts";
import { knownParts } from "./known-parts.ts";
import { writeMark } from "./mark.ts";
import type { NativeBlock } from "./native.ts";
import type { StoredParts } from "./stored-parts.ts";
import type { FedTable } from "./thread/feed-calls.ts";
import { readInOrder } from "./read-in-order.ts";
import { DAY_SECONDS, isFrom, isHeld, isStored, newestOf, secondsOf, storedMicros } from "./select-served.ts";

export type Feed = {
  readonly store: Pick<Store, "read" | "rows">;
  /** What the table consists of now (see stored-parts.ts). */
  readonly readParts: () => Promise<StoredParts>;
  readonly served: ServedTable;
  readonly table: FedTable;
};

export type BuildOptions = Feed & {
  readonly folder: string;
  /** Of the index; the oldest rows are left out where all would take more. */
  readonly mostBytes: number;
  readonly onProgress?: (progress: { readonly rows: number; readonly of: number }) => void;
  /** Nothing was written to the table since the build began, nor can be by others. */
  readonly isSettled: () => Promise<boolean>;
  /** Before the new index takes the place of the old one, which must be closed by then. */
  readonly onReady: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** Between two looks at what else there is to do: a few milliseconds. */
const SLICE_ROWS = 1000;

/**
 * Builds an index of the newest rows beside the one in use and puts it in its place. A build that was cut off begins
 * anew. Rows stored meanwhile are left to who follows the store: the mark is of before the first was read.
 */
export async function buildIndex(options: BuildOptions): Promise<void> {
  const { served, folder } = options;
  const { schema } = layoutOf(served);
  const draft = join(folder, "building");
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const writer = ServingWriter.open(draft, served);
  try {
    const parts = await options.readParts();
    const isEmpty = parts.parts.length === 0 && !parts.isChanging;
    writer.apply(isEmpty ? { mark: writeMark(0), floor: 0 } : await fill(writer, options));
    if (isEmpty && (await options.isSettled())) writer.apply({ known: knownParts(parts, 0) });
  } finally {
    writer.close();
  }
  await options.onReady();
  // Files are those of a list of the same table.
  for (const old of readdirSync(folder, { withFileTypes: true }))
    if (old.isDirectory() && old.name !== "building") rmSync(join(folder, old.name), { recursive: true, force: true });
  renameSync(join(draft, schema), join(folder, schema));
  rmSync(draft, { recursive: true, force: true });
}

/** Reads all rows that fit, by each key; what the index has then. */
async function fill(writer: ServingWriter, options: BuildOptions): Promise<Marks> {
  const { store, served, table, signal } = options;
  const through = await newestStored(options);
  const { floor, rows } = await withinDays(options, await floorOf(options));
  // A row with versions that was stored meanwhile is not there as it was.
  const known = sql`${storedMicros(served, table)} <= ${bind("Int64", String(through))}`;
  const where = joined([isFrom(served, floor), ...(served.isVersioned === true ? [] : [known])], sql` AND `);
  const keys = [...(served.byTime ? [undefined] : []), ...served.keys];
  let done = 0;
  for (const key of keys) {
    const tree = writer.build(key);
    for await (const block of readInOrder(store, served, { from: orderOf(table, key), key, where })) {
      signal.throwIfAborted();
      for (const slice of slicesOf(block)) {
        const batch = writer.batch();
        batch.addColumns(slice.count, slice.columns);
        tree.add(batch);
        await breathe();
      }
      options.onProgress?.({ rows: (done += block.count), of: rows * keys.length });
    }
    tree.end();
  }
  return { mark: writeMark(through), floor };
}

/** The sort order of the table that begins with a column; the table itself where there is none. */
function orderOf(table: FedTable, key: string | undefined): Named {
  if (key === undefined || table.orderBy[0] === key) return table;
  const found = Object.entries(table.copies ?? {}).find(([, [first]]) => first === key);
  if (found === undefined) throw new TypeError(`${table.name} has no sort order by ${key}`);
  return { kind: "table", name: found[0] };
}

/** Microseconds since 1970; 0 where nothing is stored. */
async function newestStored({ store, table, served }: Feed): Promise<number> {
  const [row] = await store.rows<{ newest: string }>(
    sql`SELECT toString(max(${storedMicros(served, table)})) AS newest FROM ${table}`,
  );
  return Math.max(0, Number(row?.newest ?? 0));
}

type Floor = { readonly floor: number; readonly rows: number };

/** Unix second from which on all rows fit, and how many rows those are. */
async function floorOf({ store, table, served, mostBytes }: BuildOptions): Promise<Floor> {
  const most = Math.floor(mostBytes / served.rowBytes);
  const [counted] = await store.rows<{ n: string }>(
    sql`SELECT toString(count()) AS n FROM ${newestOf(served, table)} WHERE ${isHeld(served)}`,
  );
  const rows = Number(counted?.n ?? 0);
  if (rows <= most) return { floor: 0, rows };
  // Without a moment none is the oldest: the index holds none, and is whole from no second on.
  if (!isStored(served.columns[served.sort[0]])) return { floor: LAST_SECOND + 1, rows: 0 };
  const moment = name(served.sort[0]);
  const oldest = sql`SELECT ${secondsOf(served)} AS ts FROM ${newestOf(served, table)} WHERE ${isHeld(served)} ORDER BY ${moment} DESC LIMIT 1 OFFSET ${bind("UInt64", most)}`;
  const [row] = await store.rows<{ ts: number }>(oldest);
  return { floor: Number(row?.ts ?? 0) + 1, rows: most };
}

/** Of a table that is held for some days, no second before these, up to its newest row. */
async function withinDays({ store, table, served }: BuildOptions, all: Floor): Promise<Floor> {
  if (served.mostDays === undefined) return all;
  const seconds = (of: "min" | "max") => sql`toUInt32(toUnixTimestamp(${fromDefinition(of)}(${name(served.sort[0])})))`;
  const [row] = await store.rows<{ oldest: number; newest: number }>(
    sql`SELECT ${seconds("min")} AS oldest, ${seconds("max")} AS newest FROM ${table}`,
  );
  const first = (row?.newest ?? 0) - served.mostDays * DAY_SECONDS;
  return row === undefined || row.oldest >= first ? all : { ...all, floor: Math.max(all.floor, first) };
}

function* slicesOf({ count, columns }: NativeBlock): Generator<NativeBlock, void, void> {
  for (let from = 0; from < count; from += SLICE_ROWS) {
    const to = Math.min(count, from + SLICE_ROWS);
    const cut = Object.entries(columns).map(([column, values]): [string, PlainColumn] => {
      const width = values.length / count;
      return [column, values.slice(from * width, to * width)];
    });
    yield { count: to - from, columns: Object.fromEntries(cut) };
  }
}
