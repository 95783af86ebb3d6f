import { globSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { datasets, tables } from "../catalogue.ts";
import type { Config } from "../config.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { ServedTable } from "../definition/served.ts";
import type { TableDefinition } from "../definition/table.ts";
import { openIndex, type ServedIndex } from "../serving/feed/open-index.ts";
import { openTokenIndex, type OpenTokenIndex } from "../serving/feed/open-token-index.ts";
import { openFeedThread, type FeedThread } from "../serving/feed/thread/feed-thread.ts";
import { createServingMetrics } from "../serving/feed/serving-metrics.ts";
import { createShares } from "./serving-shares.ts";
import { toldByLog, toldByStore, type Told } from "./told.ts";
import { lockServing } from "./lock-serving.ts";
import { openList, type OpenList } from "../serving/list/open-list.ts";
import { turns } from "../ingest/turns.ts";
import type { Compared } from "../query/served/compare-sampled.ts";
import type { Vocabularies } from "../query/served/forgive-typos.ts";
import type { ListSources } from "../query/served/read-listed.ts";
import type { ServedSources } from "../query/served/read-served.ts";
import type { TokenSources } from "../query/served/token-lookups.ts";
import type { Hearing } from "../ingest/stored/hear-stored.ts";
import type { OpenStore } from "../store/open-store.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { servedBookEvents } from "../tables/served-book-events.ts";
import { servedCandles, servedQuotes } from "../tables/served-candles.ts";
import { servedFills } from "../tables/served-fills.ts";
import { servedIncome, servedIncomeWallets } from "../tables/served-income.ts";
import { servedKalshiCandles } from "../tables/served-kalshi-candles.ts";
import { servedKalshiTrades } from "../tables/served-kalshi-trades.ts";
import { servedMarkets } from "../tables/served-markets.ts";
import { servedPositionChanges } from "../tables/served-position-changes.ts";
import { servedPrints } from "../tables/served-prints.ts";
import { servedResolutions } from "../tables/served-resolutions.ts";
import { servedTokenDays } from "../tables/served-token-days.ts";
import { servedTransfers } from "../tables/served-transfers.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { servedWalletEntries } from "../tables/served-wallet-entries.ts";
import { servedWalletPatterns } from "../tables/served-wallet-patterns.ts";
import { servedWalletScores } from "../tables/served-wallet-scores.ts";

export type Indexes = {
  readonly sources: ServedSources;
  readonly tokenSources: TokenSources;
  readonly lists: ListSources;
  readonly vocabularies: Vocabularies;
  /** Counts what a page was read from. */
  readonly count: (by: "index" | "engine") => void;
  readonly compared: (outcome: Compared, dataset: string) => void;
  readonly close: () => Promise<void>;
};

type IndexParts = {
  readonly store: OpenStore;
  /** Of a process that shares the engine: what others store is heard. */
  readonly hearing?: Hearing | undefined;
  readonly log: Logger;
  readonly metrics: Registry;
};

type Opening = {
  readonly store: Told["store"];
  readonly log: Logger;
  readonly thread: FeedThread;
  readonly dataDir: string;
  readonly bytes: number;
};

type Opened = ServedIndex | OpenTokenIndex | OpenList;

/** With the part of the bytes that each may have, of their sum. */
const SERVED = [
  { served: servedFills, part: 6 },
  { served: servedKalshiTrades, part: 2 },
  { served: servedCandles, part: 1 },
  { served: servedQuotes, part: 1 },
  { served: servedKalshiCandles, part: 1 },
  { served: servedPrints, part: 1 },
  { served: servedBookEvents, part: 3 },
  { served: servedResolutions, part: 0.5 },
  { served: servedPositionChanges, part: 2 },
  { served: servedWalletDays, part: 3 },
  { served: servedTransfers, part: 1 },
  { served: servedTokenDays, part: 1 },
  { served: servedWalletEntries, part: 2 },
  { served: servedWalletPatterns, part: 1 },
  { served: servedWalletScores, part: 1 },
  { served: servedIncome, part: 0.5 },
  { served: servedIncomeWallets, part: 0.5 },
  { served: servedMarkets, part: 0.5 },
];
const TOKENS = [polymarketTokens];
const SHARE_OF_DISK = 0.1;

/** Whether a process has the column engine to itself: then it sees everything that is stored. */
export const isAlone = ({ role, clickhouseUrl }: Pick<Config, "role" | "clickhouseUrl">): boolean =>
  role === "all" && clickhouseUrl === undefined;

/**
 * The serving indexes of a process that has the column engine to itself, and sees everything that is stored, or hears of
 * it. Elsewhere there are none, and the engine answers.
 */
export function openIndexes(
  config: Pick<Config, "role" | "clickhouseUrl" | "dataDir" | "servingBytes">,
  { store: whole, hearing, log, metrics }: IndexParts,
): Indexes {
  const bytes = config.servingBytes ?? shareOfDisk(config.dataDir, join(config.dataDir, "serving"));
  const isWished = bytes > 0 && (isAlone(config) || hearing !== undefined);
  const lock = isWished ? lockServing(config.dataDir, log) : undefined;
  const isServed = lock !== undefined;
  const told = hearing ? toldByLog(whole, hearing, tables) : toldByStore(whole);
  const { store, begin, isCurrent } = told;
  const thread = openFeedThread();
  const { indexes, tokens, lists } = openAll({ store, log, thread, dataDir: config.dataDir, bytes }, isServed);
  // A table may have an index and a list.
  const all: readonly (readonly [string, Opened])[] = [...tokens, ...indexes, ...lists];
  begin(
    (name, left) => {
      for (const [table, opened] of all) if (table === name) opened.changed(left);
    },
    () => {
      for (const [, opened] of all) opened.missed();
    },
  );
  const failing = (table: string, opened: Opened | undefined) => (error: unknown) => {
    log.error({ err: error, table }, "the serving index could not be read; the column engine answers");
    renew(opened);
  };
  const counters = createServingMetrics(metrics, all, told.behindMs);
  return {
    count: counters.page,
    compared: (outcome, dataset) => {
      counters.compared(outcome);
      if (outcome !== "different") return;
      log.error({ dataset }, "a page of the serving index is not what the column engine answers; it is compared anew");
      for (const [, opened] of all) renew(opened);
    },
    sources: (table) => {
      const index = isCurrent() ? indexes.get(table) : undefined;
      const reader = index?.reader();
      return reader && { reader, failed: failing(table, index), asOf: () => asOf(index, told) };
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
    close: async () => {
      for (const [, opened] of all) await opened.close();
      await thread.end();
      lock?.release();
    },
  };
}

function openAll({ store, log, thread, dataDir, bytes }: Opening, isServed: boolean) {
  const [indexes, tokens] = [new Map<string, ServedIndex>(), new Map<string, OpenTokenIndex>()];
  const lists = new Map<string, OpenList>();
  const shares = createShares(store, bytes, SERVED);
  const inTurn = turns(1);
  const folderOf = (table: string): string => join(dataDir, "serving", table);
  for (const table of isServed ? TOKENS : [])
    tokens.set(table.name, openTokenIndex({ store, table, folder: folderOf(table.name), thread, log }));
  for (const { served } of isServed ? SERVED : []) {
    const table = tableOf(served);
    const folder = folderOf(table.name);
    const mostBytes = async (): Promise<number> => (await shares()).get(table.name) ?? 0;
    indexes.set(table.name, openIndex({ store, served, table, folder, mostBytes, thread, inTurn, log }));
  }
  for (const [table, dataset] of isServed ? listedTables() : [])
    lists.set(table, openList({ store, dataset, folder: folderOf(table), log }));
  return { indexes, tokens, lists };
}

const listedTables = (): (readonly [table: string, DatasetDefinition])[] =>
  datasets.flatMap((dataset) => (dataset.listed ? [[dataset.listed.table.name, dataset] as const] : []));

function tableOf({ name }: ServedTable): TableDefinition {
  const table = tables.find((each) => each.name === name);
  if (table === undefined) throw new TypeError(`there is no table ${name}`);
  return table;
}

/** What was stored before a row that it has, it has too. */
function asOf(index: ServedIndex | undefined, told: Told): number | undefined {
  const heard = told.asOf();
  return index?.asOf() ?? (heard === undefined ? undefined : Math.max(heard, index?.mark() ?? 0));
}

/** Lists are soon made anew; the other indexes are compared with the store and get what they lack. */
const renew = (opened: Opened | undefined): void =>
  opened !== undefined && "renew" in opened ? opened.renew() : opened?.changed("unknown");

/** Of what is free and of what the indexes have already: else they would get less with every start. */
function shareOfDisk(folder: string, indexes: string): number {
  const { bavail, bsize } = statfsSync(folder);
  const files = globSync("**/*.db*", { cwd: indexes }).map((file) => statSync(join(indexes, file)).size);
  return (bavail * bsize + files.reduce((sum, size) => sum + size, 0)) * SHARE_OF_DISK;
}
