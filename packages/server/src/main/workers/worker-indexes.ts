import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { TokenReader } from "../../serving/token-reader.ts";
import { isDamaged } from "../../ordered/ordered-store.ts";
import { ServingReader } from "../../serving/reader.ts";
import type { OpenList } from "../../serving/list/open-list.ts";
import type { OpenStore } from "../../store/open-store.ts";
import { isAlone, openLists, type Indexes, type IndexStatus } from "../open-indexes.ts";
import { SERVED } from "../served-tables.ts";
import type { Collecting } from "./collect-report.ts";
import type { OwnerStatus } from "./protocol.ts";

export type WorkerIndexes = Omit<Indexes, "status" | "renew"> & {
  /** Applies the owner's newest status. */
  readonly update: (status: OwnerStatus) => void;
  /** Time up to which stored rows are known to be in the indexes (microseconds since 1970). */
  readonly until: () => number;
};

type Options = {
  readonly config: Pick<Config, "role" | "clickhouseUrl" | "dataDir" | "servingBytes">;
  readonly store: OpenStore;
  /** Folder of the lists, which are in this process. */
  readonly folder: string;
  readonly status: OwnerStatus;
  readonly collecting: Collecting;
  readonly log: Logger;
};

/** If an index lags more, or its status is older, than this, the column engine answers. */
const BEHIND_MS = 1000;
const REPORT_EVERY_MS = 1000;

/** The owner's indexes as a worker reads them, plus the worker's own lists. */
export function openWorkerIndexes({ config, store, folder, status, collecting, log }: Options): WorkerIndexes {
  let [latest, receivedAt] = [status, performance.now()];
  const failing = (table: string, error: unknown): void => {
    log.error({ err: error, table }, "the serving index could not be read; the column engine answers");
    collecting.unread(table, isDamaged(error) ? String(error) : undefined);
  };
  const served = new Map(SERVED.map((each) => [each.served.name, each.served]));
  const folderOf = (table: string): string => join(config.dataDir, "serving", table);
  const rows = indexReaders((table) => {
    const declared = served.get(table);
    return declared && ServingReader.open(folderOf(table), declared);
  }, failing);
  const tokens = indexReaders((table) => new TokenReader(folderOf(table)), failing);
  const isServed = isAlone(config) && config.servingBytes !== 0;
  const lists = isServed ? openLists({ store, log }, (table) => join(folder, table)) : new Map<string, OpenList>();
  const statusOf = (table: string): IndexStatus | undefined => {
    const found = latest.indexes.get(table);
    const behind = (found?.behindMs ?? 0) + performance.now() - receivedAt;
    return behind < BEHIND_MS ? found : undefined;
  };
  const report = seldom(failing);
  const failed = (table: string, drop: () => void) => (error: unknown) => {
    drop();
    report(table, error);
  };
  return {
    count: collecting.page,
    compared: (outcome, ...found) => {
      collecting.compared(outcome, ...found);
      if (outcome === "different") for (const list of lists.values()) list.renew();
    },
    sources: (table) => {
      const state = statusOf(table);
      const reader = state && rows.of(table, state);
      const asOf = (): number | undefined => latest.indexes.get(table)?.asOf;
      return reader && { reader, failed: failed(table, () => rows.drop(table)), asOf };
    },
    tokenSources: (table) => {
      const state = statusOf(table);
      const reader = state && tokens.of(table, state);
      return reader && { reader, failed: failed(table, () => tokens.drop(table)) };
    },
    lists: (table) => {
      const list = lists.get(table);
      const current = list?.reader();
      return current && { ...current, failed: failed(table, () => list?.renew()) };
    },
    vocabularies: (table) => lists.get(table)?.latest(),
    until: () => Math.round(latest.at * 1000),
    update: (next) => {
      [latest, receivedAt] = [next, performance.now()];
      for (const { table, isUnknown } of next.changed) lists.get(table)?.changed(isUnknown ? "unknown" : undefined);
    },
    close: async () => {
      for (const list of lists.values()) await list.close();
      rows.close();
      tokens.close();
    },
  };
}

/** Limits reports per table, since every request fails while the owner rebuilds the index. */
function seldom(report: (table: string, error: unknown) => void): typeof report {
  const reported = new Map<string, number>();
  return (table, error) => {
    const now = performance.now();
    if (now - (reported.get(table) ?? Number.NEGATIVE_INFINITY) < REPORT_EVERY_MS) return;
    reported.set(table, now);
    report(table, error);
  };
}

type Opened<Reader> = { readonly generation: number; readonly reader: Reader | undefined };

export type IndexReaders<Reader> = {
  /**
   * Returns the reader of a table's index in the generation of the owner's last status; undefined if it cannot be
   * opened.
   */
  readonly of: (table: string, status: IndexStatus) => Reader | undefined;
  /** Closes a reader that failed; the next request reopens it. */
  readonly drop: (table: string) => void;
  readonly close: () => void;
};

/** Opens indexes that the owner writes, and reopens each when the owner replaces it. `open` may throw. */
function indexReaders<Reader extends { readonly close: () => void }>(
  open: (table: string) => Reader | undefined,
  failed: (table: string, error: unknown) => void,
): IndexReaders<Reader> {
  const opened = new Map<string, Opened<Reader>>();
  const drop = (table: string): void => {
    opened.get(table)?.reader?.close();
    opened.delete(table);
  };
  const openNow = (table: string): Reader | undefined => {
    try {
      return open(table);
    } catch (error) {
      failed(table, error);
      return undefined;
    }
  };
  return {
    drop,
    of: (table, { generation }) => {
      const before = opened.get(table);
      if (before?.generation === generation) return before.reader;
      drop(table);
      const reader = openNow(table);
      opened.set(table, { generation, reader });
      return reader;
    },
    close: () => {
      for (const table of opened.keys()) drop(table);
    },
  };
}
