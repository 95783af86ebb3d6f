import { defineRefresh, type RefreshStore, type RefreshTurn } from "../../definition/refresh.ts";
import { slicesOf } from "../../definition/slices.ts";
import type { Sql } from "../../definition/sql.ts";
import { eachInTurn } from "../../definition/in-turn.ts";
import { bookEvents } from "../../tables/book-events.ts";
import { marketSnapshots } from "../../tables/market-snapshots.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { tokenHours } from "../../tables/token-hours.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { booksOf } from "./books-sql.ts";
import { brierOf, type Resolved } from "./brier-sql.ts";
import { catalogueOf, liquidityRanks } from "./catalogue-sql.ts";
import { chooseMarkets } from "./choose-markets.ts";
import { holdersOf } from "./holders-sql.ts";
import { hoursOf } from "./hours-sql.ts";
import { marketBatch } from "./market-batch.ts";
import { marketRow } from "./market-row.ts";
import { washOf } from "./wash-sql.ts";

/** Markets of one round of statements; a bound list may hold 128 KiB. */
const MARKETS_A_BATCH = 1500;

type Found = Readonly<Record<string, unknown>> & { readonly id: string };

/** What is worked out over all markets at once. */
type Known = { readonly percentiles: ReadonlyMap<string, number>; readonly wash: ReadonlyMap<string, string> };

/** Catalogue, hours, holdings, books and resolutions → the newest figures of every market. */
export const marketSnapshotsRefresh = defineRefresh({
  name: "market-snapshots",
  title: "Newest figures of markets",
  from: [polymarketMarkets, tokenHours, walletTokenDays, walletPatterns, bookEvents],
  into: marketSnapshots,
  everySeconds: 300,
  wholeEverySeconds: 3600,
  refresh: async (store, turn) => {
    const chosen = (await store.rows<Found>(chooseMarkets(turn))).map(({ id }) => id);
    if (chosen.length === 0) return 0;
    const ranks = await store.rows<{ id: string; percentile: number }>(liquidityRanks);
    const percentiles = new Map(ranks.map(({ id, percentile }) => [id, Number(percentile)]));
    const wash = await store.rows<{ id: string; usd: string }>(washOf(turn.now));
    const known: Known = { percentiles, wash: new Map(wash.map(({ id, usd }) => [id, usd])) };
    await eachInTurn(slicesOf(chosen, MARKETS_A_BATCH), turn.inTurn, async (ids) => {
      turn.signal.throwIfAborted();
      await workOut(store, turn, ids, known);
    });
    return chosen.length;
  },
});

async function workOut(
  store: RefreshStore,
  { now }: RefreshTurn,
  ids: readonly string[],
  { percentiles, wash }: Known,
): Promise<void> {
  const batch = marketBatch(ids);
  const read = async (statement: Sql): Promise<Map<string, Found>> =>
    new Map((await store.rows<Found>(statement)).map((row) => [row.id, row]));
  const catalogue = await read(catalogueOf(batch));
  const hours = await read(hoursOf(batch, now));
  const books = await read(booksOf(batch, now));
  const holders = await read(holdersOf(batch));
  const resolved = [...catalogue.values()].flatMap(toResolved);
  const briers = resolved.length === 0 ? new Map<string, Found>() : await read(brierOf(resolved));
  const rows = [...catalogue.values()].map((one) =>
    marketRow(
      {
        catalogue: one,
        hours: hours.get(one.id),
        book: books.get(one.id),
        holders: holders.get(one.id),
        brier: briers.get(one.id),
        percentile: percentiles.get(one.id),
        washUsd: wash.get(one.id),
      },
      now,
    ),
  );
  await store.insert(marketSnapshots, rows);
}

function toResolved({ id, payout, ended }: Found): Resolved[] {
  if (payout === null || payout === undefined || ended === null || ended === undefined) return [];
  return [{ id, payout: Number(payout), ended: Number(ended) }];
}
