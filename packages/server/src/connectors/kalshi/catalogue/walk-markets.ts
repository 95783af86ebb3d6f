import type { Batch, PullOptions, Feed } from "../../../definition/connector.ts";
import { kalshiMarkets } from "../../../tables/kalshi-markets.ts";
import { type Filters, repeatNotices, walkPages } from "../wire/walk-pages.ts";
import { marketsReply, type MarketReply, eventsReply } from "./replies.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { toTimestamp, toContracts, toDollars, toQuote } from "../wire/values.ts";

export type EventFacts = { readonly series_ticker: string; readonly category: string };

const PER_CALL = 100;
const MAX_KEPT = 200_000;

/** Fetches series and category of the events not in `known` and adds them to it; unknown events stay absent. */
async function learnEvents(
  ask: { readonly feed: Feed; readonly signal: AbortSignal },
  tickers: readonly string[],
  known: Map<string, EventFacts>,
): Promise<void> {
  if (known.size > MAX_KEPT) known.clear();
  const missing = [...new Set(tickers)].filter((ticker) => !known.has(ticker));
  for (let at = 0; at < missing.length; at += PER_CALL) {
    const filters = { tickers: missing.slice(at, at + PER_CALL).join(","), limit: 200 };
    for await (const { page } of walkPages({ ...ask, path: "/events", reply: eventsReply, filters })) {
      for (const event of page.events ?? []) {
        known.set(event.event_ticker, { series_ticker: event.series_ticker, category: event.category ?? "" });
      }
    }
  }
}

export type MarketsStep = {
  readonly page: readonly MarketReply[];
  readonly filters: Filters;
  readonly batch: Pick<Batch, "rows" | "notices">;
  readonly next: string | undefined;
};

/** Pages of markets as rows, without combos, each with its event's series and category. */
export async function* walkMarkets(
  options: Pick<PullOptions, "feed" | "signal" | "now">,
  path: "/markets" | "/historical/markets",
  filters: Filters,
  known: Map<string, EventFacts>,
  from?: string,
): AsyncGenerator<MarketsStep> {
  const { feed, signal } = options;
  const walk = { feed, signal, path, reply: marketsReply, from };
  for await (const step of walkPages({ ...walk, filters: { limit: 1000, mve_filter: "exclude", ...filters } })) {
    const page = step.page.markets ?? [];
    await learnEvents(
      options,
      page.map((market) => market.event_ticker),
      known,
    );
    const rows = page.map((market) => toMarket(market, known.get(market.event_ticker), options.now()));
    yield {
      page,
      filters,
      next: step.next,
      batch: { rows: [{ table: kalshiMarkets, rows }], ...repeatNotices(step, path) },
    };
  }
}

/** A row of kalshi_markets. Series and category come from `event`; a ticker's prefix is not reliable for them. */
export function toMarket(market: MarketReply, event: EventFacts | undefined, receivedMs: number): InsertRow {
  return {
    ticker: market.ticker,
    event_ticker: market.event_ticker,
    series_ticker: event?.series_ticker ?? "",
    title: titleOf(market),
    status: market.status,
    ...outcomeOf(market),
    ...figuresOf(market),
    open_time: toTimestamp(market.open_time),
    close_time: toTimestamp(market.close_time),
    expiration_time: toTimestamp(market.latest_expiration_time ?? market.expiration_time),
    created_time: toTimestamp(market.created_time),
    category: event?.category ?? "",
    market_type: market.market_type,
    updated_at: toTimestamp(market.updated_time) ?? toTimestamp(new Date(receivedMs).toISOString()),
  };
}

function titleOf(market: MarketReply): string {
  const title = market.title?.trim() ?? "";
  const yes = market.yes_sub_title?.trim() ?? "";
  if (yes === "" || title.toLowerCase().includes(yes.toLowerCase())) return title;
  return title === "" ? yes : `${title}: ${yes}`;
}

function outcomeOf(market: MarketReply) {
  const result = market.result === "" ? null : market.result;
  const given = toDollars(market.settlement_value_dollars ?? market.settlement_value);
  // Older replies give no value with a plain result; yes pays a full dollar and no pays nothing.
  const plain = market.status !== "finalized" ? null : result === "yes" ? "1" : result === "no" ? "0" : null;
  return { result, settlement_value: given ?? plain, settled_time: toTimestamp(market.settlement_ts) };
}

function figuresOf(market: MarketReply) {
  const volume = toContracts(market.volume_fp ?? market.volume);
  const last = toDollars(market.last_price_dollars ?? market.last_price);
  return {
    // The venue also sends 0 before the first trade.
    last_price: last === "0" && volume === "0" ? null : last,
    yes_bid: toQuote(market.yes_bid_dollars ?? market.yes_bid),
    yes_ask: toQuote(market.yes_ask_dollars ?? market.yes_ask),
    volume,
    volume_24h: toContracts(market.volume_24h_fp ?? market.volume_24h),
    open_interest: toContracts(market.open_interest_fp ?? market.open_interest),
  };
}
