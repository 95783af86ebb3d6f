import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Kalshi's markets. Prices are dollars per contract (0 to 1) in the store; the dataset returns cents. */
export const kalshiMarkets = defineTable({
  name: "kalshi_markets",
  about: "Kalshi's markets.",
  columns: {
    ticker: stored.text("Ticker."),
    event_ticker: stored.text("Ticker of the event."),
    series_ticker: stored.text("Ticker of the series; empty if unknown."),
    title: stored.text("Title, with the YES side's own label if the market has one."),
    status: stored.label(
      "Status as the object has it: initialized, active, inactive, closed, determined, disputed, amended, finalized.",
    ),
    result: stored.maybeLabel("yes, no or scalar; null while undecided."),
    last_price: stored.maybeMoney("Last trade, YES, USD; null if never traded."),
    yes_bid: stored.maybeMoney("Best YES bid, USD; null if the side is empty."),
    yes_ask: stored.maybeMoney("Best YES ask, USD; null if the side is empty."),
    volume: stored.money("Contracts traded, all time."),
    volume_24h: stored.money("Contracts traded, last 24 hours."),
    open_interest: stored.money("Open contracts."),
    settlement_value: stored.maybeMoney("Payout of a YES contract, USD; null while unsettled."),
    open_time: stored.maybeMicros("Open."),
    close_time: stored.maybeMicros("Close; it may move earlier."),
    expiration_time: stored.maybeMicros("Expiration."),
    created_time: stored.maybeMicros("Creation; null if the venue does not report it."),
    settled_time: stored.maybeMicros("Settlement; null while unsettled."),
    category: stored.text("Category of the series; empty if unknown."),
    market_type: stored.label("binary or scalar."),
    updated_at: stored.micros("Last change at the venue; time of receipt if the venue does not report it."),
    search: stored.words(["ticker", "title"]),
    ingested_at: stored.ingested(),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["ticker"],
  granularity: { own: 256 },
  key: ["ticker"],
  keepVersionsHours: 24,
  indexes: ["INDEX search_grams search TYPE ngrambf_v1(3, 8192, 2, 0) GRANULARITY 1"],
  shardBy: "cityHash64(ticker)",
});
