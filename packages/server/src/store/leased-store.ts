import type { TableDefinition } from "../definition/table.ts";
import { append } from "./append.ts";
import type { Connection } from "./connection.ts";
import { TableWriter, type WriterLine } from "./insert.ts";
import { toNumbered } from "./statement.ts";
import type { Inserted, Store } from "./store.ts";
import type { Fence } from "./fence.ts";

type Parts = {
  readonly store: Store;
  readonly line: WriterLine;
  readonly nextVersion: () => bigint;
  readonly announced: (table: TableDefinition, inserted: Inserted) => Promise<Inserted>;
};

/**
 * The store for work under a lease: right before each statement that writes leaves, the fence is asked. Its batches are
 * staged in tables of their own (`endWriters` takes them away); two such views must not share a table. `close` ends
 * what is under way here and leaves the store open.
 */
export function leasedStore({ store, line, nextVersion, announced }: Parts, fence: Fence): Store {
  const fenced: WriterLine = {
    ...line,
    connection: fencedConnections(line.connection, fence),
    shards: fencedConnections(line.shards, fence),
  };
  const writers = new Map<string, TableWriter>();
  const writerOf = (table: TableDefinition): TableWriter => {
    const writer = writers.get(table.name) ?? new TableWriter(fenced, table, nextVersion, fence);
    writers.set(table.name, writer);
    return writer;
  };
  return {
    ...store,
    run: async (statement, settings = {}) => {
      await fenced.connection().send(toNumbered(statement), { settings });
    },
    alter: async (statement, settings = {}) => {
      await fenced.shards().send(toNumbered(statement), { settings });
    },
    append: (table, rows) => append(fenced.connection(), table, rows),
    insert: async (table, rows, mode) => announced(table, await writerOf(table).insert(rows, mode)),
    replace: async (table, rows, replacement) => announced(table, await writerOf(table).replace(rows, replacement)),
    mend: (table, since, until) => writerOf(table).mend(since, until),
    load: async (table, bulk) => announced(table, await writerOf(table).load(bulk)),
    close: async () => {
      for (const writer of writers.values()) await writer.close().catch(() => undefined);
    },
  };
}

/** One object a connection: a writer knows a new life of the engine by it. */
function fencedConnections(connection: () => Connection, fence: Fence): () => Connection {
  const known = new WeakMap<Connection, Connection>();
  return () => {
    const inner = connection();
    const found = known.get(inner) ?? {
      ...inner,
      send: (statement, more = {}) => inner.send(statement, { ...more, check: fence.check }),
    };
    known.set(inner, found);
    return found;
  };
}
