import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { TokenReader } from "../../serving/token-reader.ts";
import { ServingReader } from "../../serving/reader.ts";
import type { OpenList } from "../../serving/list/open-list.ts";
import type { OpenStore } from "../../store/open-store.ts";
import { isAlone, openLists, type Indexes, type IndexStanding } from "../open-indexes.ts";
import { SERVED } from "../served-tables.ts";
import type { Collecting } from "./collect-report.ts";
import type { Standing } from "./protocol.ts";
import { toldReaders } from "./told-readers.ts";

export type ToldIndexes = Omit<Indexes, "standing" | "renew"> & {
  /** What the owner tells. */
  readonly hear: (standing: Standing) => void;
  /** Up to when stored rows are known to be in the indexes (microseconds since 1970). */
  readonly until: () => number;
};

type Options = {
  readonly config: Pick<Config, "role" | "clickhouseUrl" | "dataDir" | "servingBytes">;
  readonly store: OpenStore;
  /** Of lists, which are in this process. */
  readonly folder: string;
  readonly standing: Standing;
  readonly collecting: Collecting;
  readonly log: Logger;
};

/** An index that is further behind, or of which nothing was heard for so long, leaves questions to the column engine. */
const BEHIND_MS = 1000;
const LEAST_ASKED_AGAIN_MS = 1000;

/** The owner's indexes as a worker reads them, and lists of its own. */
export function openToldIndexes({ config, store, folder, standing, collecting, log }: Options): ToldIndexes {
  let [told, heardAt] = [standing, performance.now()];
  const failing = (table: string, error: unknown): void => {
    log.error({ err: error, table }, "the serving index could not be read; the column engine answers");
    collecting.unread(table);
  };
  const served = new Map(SERVED.map((each) => [each.served.name, each.served]));
  const folderOf = (table: string): string => join(config.dataDir, "serving", table);
  const rows = toldReaders((table) => {
    const declared = served.get(table);
    return declared && ServingReader.open(folderOf(table), declared);
  }, failing);
  const tokens = toldReaders((table) => new TokenReader(folderOf(table)), failing);
  const isServed = isAlone(config) && config.servingBytes !== 0;
  const lists = isServed ? openLists({ store, log }, (table) => join(folder, table)) : new Map<string, OpenList>();
  const standingOf = (table: string): IndexStanding | undefined => {
    const found = told.indexes.get(table);
    const behind = (found?.behindMs ?? 0) + performance.now() - heardAt;
    return behind < BEHIND_MS ? found : undefined;
  };
  const tell = seldom(failing);
  const failed = (table: string, drop: () => void) => (error: unknown) => {
    drop();
    tell(table, error);
  };
  return {
    count: collecting.page,
    compared: (outcome, dataset) => {
      collecting.compared(outcome, dataset);
      if (outcome === "different") for (const list of lists.values()) list.renew();
    },
    sources: (table) => {
      const state = standingOf(table);
      const reader = state && rows.of(table, state);
      const asOf = (): number | undefined => told.indexes.get(table)?.asOf;
      return reader && { reader, failed: failed(table, () => rows.drop(table)), asOf };
    },
    tokenSources: (table) => {
      const state = standingOf(table);
      const reader = state && tokens.of(table, state);
      return reader && { reader, failed: failed(table, () => tokens.drop(table)) };
    },
    lists: (table) => {
      const list = lists.get(table);
      const current = list?.reader();
      return current && { ...current, failed: failed(table, () => list?.renew()) };
    },
    vocabularies: (table) => lists.get(table)?.latest(),
    until: () => told.at * 1000,
    hear: (next) => {
      [told, heardAt] = [next, performance.now()];
      for (const { table, isUnknown } of next.changed) lists.get(table)?.changed(isUnknown ? "unknown" : undefined);
    },
    close: async () => {
      for (const list of lists.values()) await list.close();
      rows.close();
      tokens.close();
    },
  };
}

/** Not at every request, while the owner makes it anew. */
function seldom(tell: (table: string, error: unknown) => void): typeof tell {
  const told = new Map<string, number>();
  return (table, error) => {
    const now = performance.now();
    if (now - (told.get(table) ?? Number.NEGATIVE_INFINITY) < LEAST_ASKED_AGAIN_MS) return;
    told.set(table, now);
    tell(table, error);
  };
}
