import type { World } from "../../packages/exchange/src/world/world.ts";
import { byCursor, byOffset } from "./ask.ts";
import { candleKeyOf, candlesOf, expectedCandle } from "./candles.ts";
import { expectedFill, fillKeys, fillsOf, type Fill, type Source } from "./fills.ts";
import { expectedMarket, marketFigures } from "./polymarket-markets.ts";
import type { Running } from "./scene.ts";
import { countRows } from "./settle.ts";
import { Comparison, type Row, type Tally, sameTimestamp } from "./tally.ts";
import type { KalshiMarket, KalshiTrade } from "../../packages/exchange/src/world/kalshi-contract.ts";

/** A running service, and direct access to its rows. */
type Requested = Pick<Running, "ask" | "store">;

const LIMIT = 5000;
const MARKETS_LIMIT = 1000;
const AT_ONCE = 4;
const fromTheStart = { start_time: "2020-01-01" };

type Walk = "cursor" | "offset";
const walkOf = (walk: Walk) => (walk === "cursor" ? byCursor : byOffset);

export async function compareFills(
  world: World,
  running: Requested,
  source: Source,
  walk: Walk,
  fills: readonly Fill[] = fillsOf(world, source),
): Promise<Tally> {
  const keys = fillKeys(source);
  const truth = new Map(fills.map((fill) => [keys.ofTruth(fill), fill]));
  const compared = new Comparison(truth, (fill) => expectedFill(fill, source));
  for await (const rows of walkOf(walk)(running.ask, { agentId: 556, params: {}, limit: LIMIT })) {
    for (const row of rows) compared.take(keys.ofRow(row), row);
  }
  return compared.end(`556 polymarket-trades (${source}, by ${walk})`, await countRows(running, "polymarket_fills"));
}

export async function compareKalshiTrades(world: World, running: Requested, walk: Walk): Promise<Tally> {
  const truth = new Map(world.kalshi.trades.map((trade) => [trade.trade_id, trade]));
  const compared = new Comparison(truth, expectedTrade);
  for await (const rows of walkOf(walk)(running.ask, { agentId: 573, params: fromTheStart, limit: LIMIT })) {
    for (const row of rows) compared.take(String(row["trade_id"]), row);
  }
  return compared.end(`573 kalshi-trades (by ${walk})`, await countRows(running, "kalshi_trades"));
}

/** `withFigures`: prices and volumes too; they are exact if the world has been paused since they were fetched. */
export async function compareMarkets(world: World, running: Requested, withFigures: boolean): Promise<Tally> {
  const truth = new Map(world.polymarket.markets.map((market) => [market.condition_id as string, market]));
  const expect = (market: (typeof world.polymarket.markets)[number]): Row => ({
    ...expectedMarket(market),
    ...(withFigures ? marketFigures(market) : {}),
  });
  const compared = new Comparison(truth, expect);
  for await (const rows of byCursor(running.ask, { agentId: 574, params: {}, limit: MARKETS_LIMIT })) {
    for (const row of rows) compared.take(String(row["condition_id"]), row);
  }
  return compared.end("574 polymarket-markets", await countRows(running, "polymarket_markets FINAL"));
}

export async function compareKalshiMarkets(world: World, running: Requested, withFigures: boolean): Promise<Tally> {
  const truth = new Map(world.kalshi.markets.map((market) => [market.ticker, market]));
  const expect = (market: (typeof world.kalshi.markets)[number]): Row => ({
    ...expectedKalshiMarket(market),
    ...(withFigures ? kalshiFigures(market) : {}),
  });
  const compared = new Comparison(truth, expect);
  for await (const rows of byCursor(running.ask, { agentId: 565, params: {}, limit: MARKETS_LIMIT })) {
    for (const row of rows) compared.take(String(row["ticker"]), row);
  }
  return compared.end("565 kalshi-markets", await countRows(running, "kalshi_markets FINAL"));
}

const SECONDS = { "1m": 60, "1h": 3600 } as const;

export async function compareCandles(
  world: World,
  running: Requested,
  source: Source,
  interval: keyof typeof SECONDS,
  fills: readonly Fill[] = fillsOf(world, source),
): Promise<Tally> {
  const truth = candlesOf(fills, SECONDS[interval]);
  const compared = new Comparison(truth, (candle) => expectedCandle(candle, source));
  const tokens = [...new Set([...truth.values()].map(({ token_id }) => token_id))];
  const walk = async (token_id: string): Promise<void> => {
    const params = { token_id, interval, ...fromTheStart };
    for await (const rows of byCursor(running.ask, { agentId: 568, params, limit: LIMIT })) {
      for (const row of rows) compared.take(candleKeyOf(row), row);
    }
  };
  for (let place = 0; place < tokens.length; place += AT_ONCE) {
    await Promise.all(tokens.slice(place, place + AT_ONCE).map(walk));
  }
  const stored = interval === "1m" ? await countRows(running, "polymarket_candles_1m FINAL") : truth.size;
  return compared.end(`568 polymarket-candles (${interval})`, stored);
}

function expectedTrade(trade: KalshiTrade): Row {
  const paid = trade.taker_side === "yes" ? trade.yes_price_e4 : 10_000 - trade.yes_price_e4;
  return {
    trade_id: trade.trade_id,
    ticker: trade.market.ticker,
    // The endpoint prints the sequence number as the digits below the millisecond.
    created_time: new Date(trade.ms).toISOString().replace("Z", `${String(trade.seq % 1000).padStart(3, "0")}Z`),
    count: trade.count_cc / 100,
    yes_price: trade.yes_price_e4 / 100,
    no_price: (10_000 - trade.yes_price_e4) / 100,
    taker_side: trade.taker_side,
    usd: (trade.count_cc * paid) / 1e6,
    is_block_trade: trade.is_block_trade,
  };
}

/** Fields that do not change while a market trades, and its result. */
function expectedKalshiMarket(market: KalshiMarket): Row {
  return {
    ticker: market.ticker,
    event_ticker: market.event.event_ticker,
    title: (got: unknown) => (String(got).includes(market.title) ? undefined : `a title with ${market.title}`),
    status: market.status,
    result: market.result === "" ? null : market.result,
    open_time: sameTimestamp(market.open_ms),
    close_time: sameTimestamp(market.close_ms),
    expiration_time: sameTimestamp(market.latest_expiration_ms),
    created_time: sameTimestamp(market.created_ms),
    settlement_value: market.settlement_value_e4 === null ? null : market.settlement_value_e4 / 10_000,
    category: market.event.series.category,
  };
}

/** The current figures; exact while the world is paused. */
function kalshiFigures(market: KalshiMarket): Row {
  const { yes, no } = market.book();
  const [bid, other] = [yes.at(-1), no.at(-1)];
  return {
    last_price: market.last_price_e4 === null ? null : market.last_price_e4 / 100,
    volume: market.volume_cc / 100,
    volume_24h: market.volume_24h_cc() / 100,
    open_interest: market.open_interest_cc / 100,
    yes_bid: bid === undefined ? null : bid.price_e4 / 100,
    yes_ask: other === undefined ? null : (10_000 - other.price_e4) / 100,
  };
}
