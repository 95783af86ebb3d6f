import { globSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { tables } from "../catalogue.ts";
import type { Config } from "../config.ts";
import { DamagedError } from "../ordered/ordered-store.ts";
import { openIndex, type ServedIndex } from "../serving/feed/open-index.ts";
import { openTokenIndex, type OpenTokenIndex } from "../serving/feed/open-token-index.ts";
import { openFeedThread, type FeedThread } from "../serving/feed/thread/feed-thread.ts";
import { countDamage, createServingMetrics } from "../serving/feed/serving-metrics.ts";
import { listedTables, SERVED, tableOf, TOKENS } from "./served-tables.ts";
import { createShares, lockServing } from "./serving-folder.ts";
import { loggedChanges, storeChanges, type ChangeSource } from "./shared-changes.ts";
import { openList, type OpenList } from "../serving/list/open-list.ts";
import { createLimiter } from "../ingest/concurrency.ts";
import type { NoteCompared } from "../query/served/compare-sampled.ts";
import type { Vocabularies } from "../query/served/forgive-typos.ts";
import type { ListSources } from "../query/served/read-listed.ts";
import type { ServedSources } from "../query/served/read-served.ts";
import type { TokenSources } from "../query/served/token-lookups.ts";
import type { ChangeFeed } from "../ingest/change-log/follow-changes.ts";
import type { OpenStore } from "../store/open-store.ts";

export type Indexes = {
  readonly sources: ServedSources;
  readonly tokenSources: TokenSources;
  readonly lists: ListSources;
  readonly vocabularies: Vocabularies;
  /** Counts what a page was read from. */
  readonly count: (by: "index" | "engine") => void;
  readonly compared: NoteCompared;
  /** State of each readable index, by table. */
  readonly status: () => ReadonlyMap<string, IndexStatus>;
  /** Reports a bad index or list of a table: it is compared with the store, or rebuilt. */
  readonly renew: (table: string, damage?: string) => void;
  readonly close: () => Promise<void>;
};

export type IndexStatus = {
  /** Changes when the index is rebuilt or reopened. */
  readonly generation: number;
  readonly behindMs: number;
  /** Time up to which its rows are complete (microseconds since 1970); absent if it has all. */
  readonly asOf?: number | undefined;
};

type IndexParts = {
  readonly store: OpenStore;
  /** Changes stored by others, for a process that shares the engine. */
  readonly changeFeed?: ChangeFeed | undefined;
  readonly log: Logger;
  readonly metrics: Registry;
};

type Opening = {
  readonly store: ChangeSource["store"];
  readonly log: Logger;
  readonly thread: FeedThread;
  readonly dataDir: string;
  readonly bytes: number;
  readonly onDamage: (table: string) => void;
};

type ListedStore = Parameters<typeof openList>[0]["store"];
type Opened = ServedIndex | OpenTokenIndex | OpenList;

const DIFFERENT = "a page of the serving index differs from the column engine's; comparing the indexes again";
const SHARE_OF_DISK = 0.2;

/** Whether a process has the column engine to itself, and so sees everything that is stored. */
export const isAlone = ({ role, clickhouseUrl }: Pick<Config, "role" | "clickhouseUrl">): boolean =>
  role === "all" && clickhouseUrl === undefined;

/**
 * The serving indexes of a process that has the column engine to itself and sees everything that is stored, or that
 * reads it from the change log. Other processes have none, and the engine answers.
 */
export function openIndexes(
  config: Pick<Config, "role" | "clickhouseUrl" | "dataDir" | "servingBytes">,
  { store: whole, changeFeed, log, metrics }: IndexParts,
): Indexes {
  const bytes = config.servingBytes ?? shareOfDisk(config.dataDir, join(config.dataDir, "serving"));
  const isWished = bytes > 0 && (isAlone(config) || changeFeed !== undefined);
  const lock = isWished ? lockServing(config.dataDir, log) : undefined;
  const isServed = lock !== undefined;
  const source = changeFeed ? loggedChanges(whole, changeFeed, tables) : storeChanges(whole);
  const { store, begin, isCurrent } = source;
  const thread = openFeedThread();
  const opening = { store, log, thread, dataDir: config.dataDir, bytes, onDamage: countDamage(metrics) };
  const { indexes, tokens, lists } = openAll(opening, isServed);
  // A table may have an index and a list.
  const all: readonly (readonly [string, Opened])[] = [...tokens, ...indexes, ...lists];
  const openedOf = (name: string): Opened[] => all.flatMap(([table, opened]) => (table === name ? [opened] : []));
  begin(
    (name, left) => openedOf(name).forEach((opened) => opened.changed(left)),
    () => {
      for (const [, opened] of all) opened.missed();
    },
  );
  const failing = (table: string, opened: Opened | undefined) => (error: unknown) => {
    log.error({ err: error, table }, "the serving index could not be read; the column engine answers");
    renew(opened, error);
  };
  const counters = createServingMetrics(metrics, all, source.behindMs);
  const generationOf = createGenerations();
  return {
    count: counters.page,
    compared: (outcome, dataset, difference) => {
      counters.compared(outcome);
      if (outcome !== "different") return;
      log.error({ dataset, ...difference }, DIFFERENT);
      for (const [, opened] of all) renew(opened);
    },
    sources: (table) => {
      const index = isCurrent() ? indexes.get(table) : undefined;
      const reader = index?.reader();
      return reader && { reader, failed: failing(table, index), asOf: () => asOf(index, source) };
    },
    tokenSources: (table) => {
      const index = isCurrent() ? tokens.get(table) : undefined;
      const reader = index?.reader();
      return reader && { reader, failed: failing(table, index) };
    },
    lists: (table) => {
      const list = isCurrent() ? lists.get(table) : undefined;
      const current = list?.reader();
      return current && { ...current, failed: failing(table, list) };
    },
    vocabularies: (table) => lists.get(table)?.latest(),
    status: () => (isCurrent() ? statusOf([...tokens, ...indexes], source, generationOf) : new Map()),
    renew: (table, damage) => renewAll(openedOf(table), damage),
    close: async () => {
      await Promise.all(all.map(([, opened]) => opened.close()));
      await thread.end();
      lock?.release();
    },
  };
}

function openAll(opening: Opening, isServed: boolean) {
  const { store, log, thread, dataDir, bytes, onDamage } = opening;
  const [indexes, tokens] = [new Map<string, ServedIndex>(), new Map<string, OpenTokenIndex>()];
  const shares = createShares(store, bytes, SERVED);
  const withLock = createLimiter(1);
  const folderOf = (table: string): string => join(dataDir, "serving", table);
  for (const table of isServed ? TOKENS : [])
    tokens.set(table.name, openTokenIndex({ store, table, folder: folderOf(table.name), thread, log, onDamage }));
  for (const { served } of isServed ? SERVED : []) {
    const table = tableOf(served);
    const folder = folderOf(table.name);
    const maxBytes = async (): Promise<number> => (await shares()).get(table.name) ?? 0;
    indexes.set(table.name, openIndex({ store, served, table, folder, maxBytes, thread, withLock, log, onDamage }));
  }
  const lists = isServed ? openLists({ store, log }, folderOf) : new Map<string, OpenList>();
  return { indexes, tokens, lists };
}

/** An index that contains a row also contains all rows stored before it. */
function asOf(index: ServedIndex | undefined, source: ChangeSource): number | undefined {
  const logged = source.asOf();
  return index?.asOf() ?? (logged === undefined ? undefined : Math.max(logged, index?.mark() ?? 0));
}

/** Opens a list for each table that has one, with its file in a separate folder. */
export function openLists(
  { store, log }: { readonly store: ListedStore; readonly log: Logger },
  folderOf: (table: string) => string,
): ReadonlyMap<string, OpenList> {
  return new Map(
    listedTables().map(([table, dataset]) => [table, openList({ store, dataset, folder: folderOf(table), log })]),
  );
}

function statusOf(
  all: readonly (readonly [table: string, ServedIndex | OpenTokenIndex])[],
  source: ChangeSource,
  generationOf: (reader: object) => number,
): ReadonlyMap<string, IndexStatus> {
  const status = new Map<string, IndexStatus>();
  for (const [table, index] of all) {
    const reader = index.reader();
    if (reader === undefined) continue;
    const known = { generation: generationOf(reader), behindMs: (index.behindMs() ?? 0) + source.behindMs() };
    status.set(table, { ...known, asOf: "asOf" in index ? asOf(index, source) : undefined });
  }
  return status;
}

/** Numbers readers in the order first seen. */
function createGenerations(): (reader: object) => number {
  const known = new WeakMap<object, number>();
  let last = 0;
  return (reader) => {
    const generation = known.get(reader) ?? (last += 1);
    known.set(reader, generation);
    return generation;
  };
}

/** Lists are quick to rebuild; other indexes are rebuilt only if damaged, else compared with the store. */
const renew = (opened: Opened | undefined, cause?: unknown): void =>
  opened !== undefined && "renew" in opened ? opened.renew() : opened?.failed(cause);

function renewAll(all: readonly Opened[], damage: string | undefined): void {
  const cause = damage === undefined ? undefined : new DamagedError(damage);
  for (const opened of all) renew(opened, cause);
}

/** A share of free space plus the indexes' current size; otherwise they would get less at every start. */
function shareOfDisk(folder: string, indexes: string): number {
  const { bavail, bsize } = statfsSync(folder);
  const files = globSync("**/*.db*", { cwd: indexes }).map((file) => statSync(join(indexes, file)).size);
  return (bavail * bsize + files.reduce((sum, size) => sum + size, 0)) * SHARE_OF_DISK;
}
