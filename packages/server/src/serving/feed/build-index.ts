import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { LAST_SECOND, type ServedTable } from "../../definition/served.ts";
import { bind, fromDefinition, joined, name, sql, type Named } from "../../definition/sql.ts";
import type { Store } from "../../store/store.ts";
import type { PlainColumn } from "../batch.ts";
import { layoutOf } from "../layout.ts";
import { ServingWriter, type Marks } from "../writer.ts";
import { knownParts, writeMark } from "./known-parts.ts";
import type { NativeBlock } from "./native.ts";
import type { StoredParts } from "./stored-parts.ts";
import type { FedTable } from "./thread/feed-calls.ts";
import { readInOrder } from "./read-in-order.ts";
import { DAY_SECONDS, isFrom, isHeld, isStored, newestOf, secondsOf, storedMicros } from "./select-served.ts";

export type Feed = {
  readonly store: Pick<Store, "read" | "rows">;
  /** Reads the table's current parts (see stored-parts.ts). */
  readonly readParts: () => Promise<StoredParts>;
  readonly served: ServedTable;
  readonly table: FedTable;
};

export type BuildOptions = Feed & {
  readonly folder: string;
  /** Size limit of the index; the oldest rows are omitted if all would exceed it. */
  readonly maxBytes: number;
  readonly onProgress?: (progress: { readonly rows: number; readonly of: number }) => void;
  /** Whether nothing was written to the table since the build began, and no other process can write. */
  readonly isSettled: () => Promise<boolean>;
  /** Called before the new index replaces the old one, which must be closed when it resolves. */
  readonly onReady: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** Rows written before yielding to the event loop: a few milliseconds. */
const SLICE_ROWS = 1000;

/**
 * Builds an index of the newest rows alongside the one in use and then replaces that. An interrupted build starts from
 * scratch. Rows stored meanwhile are left to the follower of the store, since the mark is taken before the first row is
 * read.
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
  // Plain files in the folder belong to a list of the same table.
  for (const old of readdirSync(folder, { withFileTypes: true }))
    if (old.isDirectory() && old.name !== "building") rmSync(join(folder, old.name), { recursive: true, force: true });
  renameSync(join(draft, schema), join(folder, schema));
  rmSync(draft, { recursive: true, force: true });
}

/** Reads all rows that fit, for each key; returns the marks of the index. */
async function fill(writer: ServingWriter, options: BuildOptions): Promise<Marks> {
  const { store, served, table, signal } = options;
  const through = await newestStored(options);
  const { floor, rows } = await withinDays(options, await floorOf(options));
  // Rows stored later are excluded, except for rows with versions: a newer version hides the older one.
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

/** The sort order of the table that begins with a column; the table itself if the column is absent. */
function orderOf(table: FedTable, key: string | undefined): Named {
  if (key === undefined || table.orderBy[0] === key) return table;
  const found = Object.entries(table.copies ?? {}).find(([, [first]]) => first === key);
  if (found === undefined) throw new TypeError(`${table.name} has no sort order by ${key}`);
  return { kind: "table", name: found[0] };
}

/** Microseconds since 1970; 0 if nothing is stored. */
async function newestStored({ store, table, served }: Feed): Promise<number> {
  const [row] = await store.rows<{ newest: string }>(
    sql`SELECT toString(max(${storedMicros(served, table)})) AS newest FROM ${table}`,
  );
  return Math.max(0, Number(row?.newest ?? 0));
}

type Floor = { readonly floor: number; readonly rows: number };

/** Unix second from which on all rows fit, and the number of those rows. */
async function floorOf({ store, table, served, maxBytes }: BuildOptions): Promise<Floor> {
  const most = Math.floor(maxBytes / served.rowBytes);
  const [counted] = await store.rows<{ n: string }>(
    sql`SELECT toString(count()) AS n FROM ${newestOf(served, table)} WHERE ${isHeld(served)}`,
  );
  const rows = Number(counted?.n ?? 0);
  if (rows <= most) return { floor: 0, rows };
  // Without a time column no row is the oldest: the index holds no rows, and is complete from no second on.
  if (!isStored(served.columns[served.sort[0]])) return { floor: LAST_SECOND + 1, rows: 0 };
  const timestamp = name(served.sort[0]);
  const oldest = sql`SELECT ${secondsOf(served)} AS ts FROM ${newestOf(served, table)} WHERE ${isHeld(served)} ORDER BY ${timestamp} DESC LIMIT 1 OFFSET ${bind("UInt64", most)}`;
  const [row] = await store.rows<{ ts: number }>(oldest);
  return { floor: Number(row?.ts ?? 0) + 1, rows: most };
}

/** For a table kept for a number of days, raises the floor to that many days before its newest row. */
async function withinDays({ store, table, served }: BuildOptions, all: Floor): Promise<Floor> {
  if (served.maxDays === undefined) return all;
  const seconds = (of: "min" | "max") => sql`toUInt32(toUnixTimestamp(${fromDefinition(of)}(${name(served.sort[0])})))`;
  const [row] = await store.rows<{ oldest: number; newest: number }>(
    sql`SELECT ${seconds("min")} AS oldest, ${seconds("max")} AS newest FROM ${table}`,
  );
  const first = (row?.newest ?? 0) - served.maxDays * DAY_SECONDS;
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
