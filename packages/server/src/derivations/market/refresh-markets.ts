import { defineRefresh, type RefreshStore, type RefreshCycle } from "../../definition/regular-jobs.ts";
import { type Sql, bind, sql, type Bound } from "../../definition/sql.ts";
import { eachInTurn } from "../../definition/pacing.ts";
import { bookEvents } from "../../tables/book-events.ts";
import { marketSnapshots } from "../../tables/market-snapshots.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { tokenHours } from "../../tables/token-hours.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { booksOf } from "./books-sql.ts";
import {
  catalogueOf,
  liquidityRanks,
  brierOf,
  type Resolved,
  holdersOf,
  hoursOf,
  type Market,
} from "./market-figures-sql.ts";
import { chooseMarkets } from "./choose-markets.ts";
import { roundsOf } from "./market-rounds.ts";
import { marketRow } from "./market-row.ts";
import { dayOf } from "../../definition/day-of.ts";
import { walletPairDays } from "../../tables/wallet-pair-days.ts";

/** Wallets whose newest wash score, from the 30 days up to a day, is at least `least`: a list for use after IN. */
export const washersSql = (asOf: Bound, least: Bound): Sql =>
  sql`(SELECT wallet FROM ${walletPatterns} FINAL WHERE pattern = 'wash' AND day <= ${asOf} AND day > subtractDays(${asOf}, 30) AND NOT is_gone GROUP BY wallet HAVING argMax(score, day) >= ${least})`;

/** A wallet's matches within its cluster count as wash volume from this score on. */
const IS_WASH = bind("Float64", 50);

/** Market → notional matched between wallets that both show the wash pattern, over the seven UTC days up to `now`. */
function washOf(now: number): Sql {
  const today = bind("Date", dayOf(now / 1000));
  const washers = washersSql(today, IS_WASH);
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, toString(sum(usd)) AS usd FROM ${walletPairDays} FINAL
WHERE day > subtractDays(${today}, 7) AND day <= ${today} AND kind = 'match' AND NOT is_gone AND wallet_a IN ${washers} AND wallet_b IN ${washers} GROUP BY condition_id`;
}

type Found = Readonly<Record<string, unknown>>;

type Catalogued = Found & { readonly id: string };

/** Values computed over all markets at once. */
type Known = { readonly percentiles: ReadonlyMap<string, number>; readonly wash: ReadonlyMap<string, string> };

/** Catalogue, hours, holdings, books and resolutions → the newest figures of every market. */
export const marketSnapshotsRefresh = defineRefresh({
  name: "market-snapshots",
  title: "Current market figures",
  from: [polymarketMarkets, tokenHours, walletTokenDays, walletPatterns, bookEvents],
  finerBy: [bookEvents],
  into: marketSnapshots,
  everySeconds: 300,
  wholeEverySeconds: 3600,
  refresh: async (store, turn) => {
    let count = 0;
    let known: Known | undefined;
    for await (const chosen of chooseMarkets(store, turn)) {
      const figures = (known ??= await knownOf(store, turn.now));
      await eachInTurn(await roundsOf(store, chosen), turn.withLock, async (markets) => {
        turn.signal.throwIfAborted();
        await runDerivations(store, turn, markets, figures);
      });
      count += chosen.length;
    }
    return count;
  },
});

async function knownOf(store: RefreshStore, now: number): Promise<Known> {
  const ranks = await store.rows<{ id: string; percentile: number }>(liquidityRanks);
  const wash = await store.rows<{ id: string; usd: string }>(washOf(now));
  return {
    percentiles: new Map(ranks.map(({ id, percentile }) => [id, Number(percentile)])),
    wash: new Map(wash.map(({ id, usd }) => [id, usd])),
  };
}

async function runDerivations(
  store: RefreshStore,
  { now }: RefreshCycle,
  chosen: readonly Market[],
  { percentiles, wash }: Known,
): Promise<void> {
  const catalogue = new Map((await store.rows<Catalogued>(catalogueOf(chosen))).map((row) => [row.id, row]));
  const markets = chosen.filter(({ id }) => catalogue.has(id));
  /** Results by condition: a statement returns them by the markets' positions, and is run only if there are markets. */
  const read = async (requested: readonly Market[], statement: (requested: readonly Market[]) => Sql) => {
    const rows =
      requested.length === 0 ? [] : await store.rows<Found & { readonly place: number }>(statement(requested));
    return new Map(rows.map((row) => [requested[row.place]?.id, row]));
  };
  const resolved = markets.flatMap((market) => toResolved(market, catalogue.get(market.id)));
  const open = markets.filter(({ id }) => catalogue.get(id)?.["market_closed"] === false);
  const hours = await read(markets, (requested) => hoursOf(requested, now));
  const books = await read(open, (requested) => booksOf(requested, now));
  const holders = await read(markets, holdersOf);
  const briers = await read(
    resolved.map(({ market }) => market),
    () => brierOf(resolved),
  );
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

function toResolved(market: Market, found: Catalogued | undefined): Resolved[] {
  const [payout, ended] = [found?.["payout"], found?.["ended"]];
  if (payout === null || payout === undefined || ended === null || ended === undefined) return [];
  return [{ market, payout: Number(payout), ended: Number(ended) }];
}
