import { fromDefinition, type Sql } from "../definition/sql.ts";
import type { LeftSpan } from "../definition/spans.ts";
import type { TableDefinition } from "../definition/table.ts";
import { append, appendChosen } from "./append.ts";
import { createChangeCounts, type ChangeCounts } from "./change-counts.ts";
import type { Address, Connection, Settings } from "./connection.ts";
import { endWriters, OPEN_FENCE, type Fence, fencedLine } from "./fence.ts";
import type { ClusterNodes } from "./cluster/cluster-nodes.ts";
import { openEngineLine, type EngineLine, type EnginePlace } from "./engine-line.ts";
import { TableWriter, type WriterLine } from "./insert.ts";
import { createHeldRows, type HeldRows } from "./held-rows.ts";
import { createRefresher } from "./refresher.ts";
import { risingStamps } from "./stamps.ts";
import { toNumbered } from "./statement.ts";
import type { Inserted, Reading, Replacement, Store } from "./store.ts";

const PRINTING: Settings = {
  date_time_output_format: "iso",
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 0,
  output_format_json_named_tuples_as_objects: 1,
  output_format_json_quote_denormals: 0,
  output_format_json_escape_forward_slashes: 0,
  output_format_arrow_compression_method: "none",
  format_csv_null_representation: "",
};
const READING: Settings = {
  ...PRINTING,
  readonly: 2,
  // The engine checks this while the statement runs, since the client has gone away.
  cancel_http_readonly_queries_on_client_close: 1,
  max_threads: 1,
  max_result_bytes: 268_435_456,
  prefer_column_name_to_alias: 1,
  query_plan_max_limit_for_lazy_materialization: 10_001,
  join_use_nulls: 1,
};
const LIMITS: ReadLimits = { seconds: 20, memoryBytes: 2_000_000_000 };
const EXACT: Settings = { output_format_json_quote_64bit_integers: 1, output_format_json_quote_decimals: 1 };
const REFRESH_DICTIONARY_MS = 1_000;

/** Limits of one read on the engine. */
export type ReadLimits = { readonly seconds: number; readonly memoryBytes: number };
export type StoreOptions = EnginePlace & { readonly limits?: ReadLimits };
export type OpenStore = Store &
  Pick<ChangeCounts, "onChanged" | "outdated" | "isWriting"> & {
    /** On a cluster the address of the node that takes the writes; any node reads and writes everything. */
    readonly address: Address;
    /** Absent if one engine holds everything. */
    readonly cluster?: ClusterNodes;
    /** Makes every engine reload a dictionary from its table. */
    readonly reload: (dictionary: string) => Promise<void>;
    /** The reason why the engine does not answer now, if known: an engine that ended is restarted. */
    readonly trouble: () => string | undefined;
    /**
     * Makes this process the writer for as long as the fence allows: ends the statements that earlier writers have in
     * progress. Nothing may be in progress in this process. Throws StoreError.
     */
    readonly beginWriting: (fence: Fence) => Promise<void>;
    /** Waits for the writes in progress here, and drops the staging tables. */
    readonly endWriting: () => Promise<void>;
    /** Resolves when an embedded engine ended and could not be restarted. */
    readonly ended: Promise<void>;
  };

/**
 * Opens the column engine: an embedded one on a folder (a child process, see embedded/; shared when another process
 * already runs it), or a running one by address. Throws StoreError ("locked", "absent"). The schema is not touched: see
 * migrate.
 */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  const line = await openEngineLine(options);
  let fence = OPEN_FENCE;
  const writing = { ...line, ...fencedLine(line, () => fence.check()) };
  const writers = openWriters(writing);
  const held = createHeldRows(line.isOwn, line.connection);
  const changes = createChangeCounts();
  const { read, rows } = createReader(line.reading, options.limits ?? LIMITS);
  const reload = reloading(line);
  const readBy = new Map<string, TableDefinition>();
  const dictionaries = createRefresher(REFRESH_DICTIONARY_MS, async (name) => {
    await reload(name);
    const table = readBy.get(name);
    if (table) changes.changed(table);
  });
  const endWriting = async (): Promise<void> => {
    await dictionaries.settle();
    await writers.end();
  };
  const announced = announcing(changes, async (table) => {
    if (!table.dictionary) return;
    readBy.set(table.dictionary.name, table);
    await dictionaries.ask(table.dictionary.name);
  });
  return {
    get address() {
      return line.address();
    },
    trouble: line.trouble,
    ...(line.cluster ? { cluster: line.cluster } : {}),
    ended: line.ended,
    read,
    run: held.around((...given) => changes.rewriting(given[0], () => sending(writing.connection)(...given))),
    alter: held.around((...given) => changes.rewriting(given[0], () => sending(writing.shards)(...given))),
    reload,
    rows,
    ...appending(writing.connection, changes.outdated),
    ...inserting((table) => writers.of(table, fence), held, announced),
    ...changes,
    newestStamp: writers.newestStamp,
    beginWriting: async (next) => {
      writers.clear();
      held.clear();
      fence = next;
      await endWriters(line.everyNode, next.token);
    },
    endWriting,
    close: async () => {
      await endWriting();
      await line.close();
    },
  };
}

/** The calls that add rows as they are, and mark the table as changed. */
const appending = (
  connection: () => Connection,
  outdated: ChangeCounts["outdated"],
): Pick<Store, "append" | "appendChosen"> => ({
  append: async (table, batch) => {
    await append(connection(), table, batch);
    outdated(table);
  },
  appendChosen: async (table, ...given) => {
    await appendChosen(connection(), table, ...given);
    outdated(table);
  },
});

/** The calls that store rows once and report what they changed. */
const inserting = (
  writerOf: (table: TableDefinition) => TableWriter,
  held: HeldRows,
  announced: Announced,
): Pick<Store, "insert" | "replace" | "mend" | "load"> => ({
  insert: async (...given) => announced(given[0], () => held.insert(given, writerOf(given[0]))),
  replace: (table, batch, { scope, before }) => {
    const left: LeftSpan[] = [];
    const replacement = { scope, before: noting(left, before) };
    const work = (): Promise<Inserted> => writerOf(table).replace(batch, replacement);
    return announced(table, () => held.changing(table, work), left);
  },
  mend: (table, since, until) => writerOf(table).mend(since, until),
  load: async (table, parquet) => announced(table, () => held.changing(table, () => writerOf(table).load(parquet))),
});

const isChange = ({ stored, replaced, taken }: Inserted): boolean =>
  stored > 0 || replaced !== undefined || taken !== undefined;

type Announced = (
  table: TableDefinition,
  work: () => Promise<Inserted>,
  left?: readonly LeftSpan[],
) => Promise<Inserted>;

/** Reports stored rows to the watchers of the table, and makes its dictionary reload. */
function announcing(
  { changed, storing }: Pick<ChangeCounts, "changed" | "storing">,
  refresh: (table: TableDefinition) => Promise<void>,
): Announced {
  const reported: Announced = async (table, work, left = []) => {
    let inserted: Inserted;
    try {
      inserted = await work();
    } catch (error) {
      // Part of the batch may be stored or deleted.
      changed(table, "unknown");
      throw error;
    }
    if (!isChange(inserted)) return inserted;
    const replaced = (inserted.replacedAt ?? []).map(secondOf).map((at) => ({ from: at, to: at }));
    changed(table, [...left, ...replaced]);
    return inserted;
  };
  return async (table, ...given) => {
    const inserted = await storing(table, () => reported(table, ...given));
    if (isChange(inserted)) await refresh(table);
    return inserted;
  };
}

/** Notes the seconds of the rows that are about to be deleted. */
const noting =
  (left: LeftSpan[], before: Replacement["before"]): Replacement["before"] =>
  async (taken) => {
    left.push({ from: secondOf(taken.since), to: secondOf(taken.until) });
    await before(taken);
  };

/** Returns the Unix second of a time in the engine's format. */
const secondOf = (timestamp: string): number =>
  Math.floor(Date.parse(`${timestamp.replace(" ", "T").replace(/Z$/, "")}Z`) / 1000);

/** One writer per table, as long as this process writes. */
function openWriters(line: WriterLine) {
  const writers = new Map<string, TableWriter>();
  const stamps = risingStamps();
  return {
    of: (table: TableDefinition, { token }: Fence): TableWriter => {
      const writer = writers.get(table.name) ?? new TableWriter(line, table, stamps, token);
      writers.set(table.name, writer);
      return writer;
    },
    newestStamp: () => Number(stamps.newest()),
    clear: () => writers.clear(),
    end: async (): Promise<void> => {
      for (const writer of writers.values()) await writer.close().catch(() => undefined);
      writers.clear();
    },
  };
}

const reloading =
  ({ everyNode }: Pick<EngineLine, "everyNode">): OpenStore["reload"] =>
  async (dictionary) => {
    await everyNode(toNumbered(fromDefinition(`SYSTEM RELOAD DICTIONARY ${dictionary}`)));
  };

const sending =
  (connection: () => Connection): Store["run"] =>
  async (statement, settings = {}) => {
    await connection().send(toNumbered(statement), { settings });
  };

/** Reads within limits; no statement sent through it can change the store. */
function createReader(
  connection: () => Connection,
  { seconds, memoryBytes }: ReadLimits,
): Pick<Store, "read" | "rows"> {
  const settings = { ...READING, max_execution_time: seconds, max_memory_usage: memoryBytes };
  const read: Store["read"] = async (statement, { format = "JSONEachRow", ...reading } = {}) => {
    const { text, parameters } = toNumbered(statement);
    const reply = await connection().send(
      { text: `${text}\nFORMAT ${format}`, parameters },
      { ...reading, settings: { ...settings, ...reading.settings } },
    );
    return reply.bytes;
  };
  return {
    read,
    rows: async <T extends Record<string, unknown>>(statement: Sql, reading: Reading = {}) =>
      parseLines<T>(await read(statement, { ...reading, settings: { ...EXACT, ...reading.settings } })),
  };
}

function parseLines<T>(bytes: Buffer): T[] {
  return bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
