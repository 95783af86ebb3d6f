import type { PolymarketMarket } from "../../../packages/exchange/src/world/contract.ts";
import type { InsertRow, TableDefinition } from "../../../packages/server/src/definition/table.ts";
import {
  coarsePriceChangesFromMinutes,
  priceChangesFromMinutes,
} from "../../../packages/server/src/derivations/price-changes.ts";
import { rebuildAll } from "../../../packages/server/src/ingest/rebuild.ts";
import type { Store } from "../../../packages/server/src/store/store.ts";
import { bookQuotes } from "../../../packages/server/src/tables/book-quotes.ts";
import { polymarketCandles } from "../../../packages/server/src/tables/polymarket-candles.ts";
import { polymarketMarkets } from "../../../packages/server/src/tables/polymarket-markets.ts";
import { systemClock } from "../../../packages/server/src/ingest/clock.ts";
import type { JumpWorld } from "./jump-world.ts";

const BATCH = 20_000;

/** Stores a world's minutes and markets, and derives the price changes from them as the service does. */
export async function storeMinutes(store: Store, world: JumpWorld): Promise<void> {
  await insertAll(store, polymarketCandles, world.minutes.candleRows());
  await insertAll(store, bookQuotes, world.minutes.quoteRows());
  await insertAll(store, polymarketMarkets, world.markets.map(toMarketRow));
  const options = { store, clock: systemClock, signal: new AbortController().signal };
  for (const derivation of [priceChangesFromMinutes, coarsePriceChangesFromMinutes]) {
    await rebuildAll(derivation, { from: world.from.toISOString(), to: world.to.toISOString() }, options);
  }
}

async function insertAll(store: Store, table: TableDefinition, rows: Iterable<InsertRow>): Promise<void> {
  let batch: InsertRow[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    await store.insert(table, batch);
    batch = [];
  }
  if (batch.length > 0) await store.insert(table, batch);
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
const seconds = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1000));

function toMarketRow(market: PolymarketMarket): InsertRow {
  const [yes, no] = market.token_ids;
  return {
    condition_id: market.condition_id,
    gamma_id: market.id,
    question_id: market.question_id,
    question: market.question,
    slug: market.slug,
    event_slug: market.event.slug,
    start_date: iso(market.start_ms),
    end_date: seconds(market.end_ms),
    event_start: seconds(market.event_start_ms),
    closed: market.closed,
    closed_date: seconds(market.closed_ms),
    active: true,
    accepting_orders: market.accepting_orders,
    volume_total: "0",
    volume_24h: "0",
    liquidity: "0",
    side_a_outcome: market.outcomes[0],
    side_b_outcome: market.outcomes[1],
    side_a_token_id: yes,
    side_b_token_id: no,
    side_a_price: null,
    side_b_price: null,
    winning_outcome: null,
    resolution_status: market.payout_numerators === null ? "" : "resolved",
    payout_a: payoutOf(market),
    category: market.event.category,
    tags: [],
    neg_risk: market.neg_risk,
    neg_risk_market_id: "",
    resolution_source: "",
    tick_size: null,
    min_size: null,
    fee_rate: null,
    updated_at: iso(market.created_ms),
  };
}

function payoutOf({ payout_numerators: payouts }: PolymarketMarket): string | null {
  return payouts === null ? null : String(payouts[0] / (payouts[0] + payouts[1]));
}
