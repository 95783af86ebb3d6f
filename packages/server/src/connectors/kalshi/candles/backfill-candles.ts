import type { Batch, Cursor, PullOptions } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { kalshiCandles } from "../../../tables/kalshi-candles.ts";
import { candlesReply, toCandle } from "./candle-reply.ts";
import { cursorText } from "../../../definition/cursor-number.ts";
import { kalshiCall } from "../wire/walk-pages.ts";
import { type EventFacts, walkMarkets } from "../catalogue/walk-markets.ts";
import type { MarketReply } from "../catalogue/replies.ts";
import { secondsOf } from "../wire/to-values.ts";

/** One answer of a single market holds 5,000 candles. */
const WINDOW_SECONDS = 4800 * 60;

/** Most markets have few candles: they are gathered, because a small insert costs as much as a large one. */
const BATCH_ROWS = 10_000;
const BATCH_MARKETS = 50;

type Tier = "live" | "historical";
type Span = { readonly from: number; readonly to: number };

/** One-minute candles of every market that was open in the range: of the live tier first, then of the historical one. */
export async function* backfillCandles(
  options: PullOptions,
  range: { readonly from: string; readonly to: string },
): AsyncGenerator<Batch, void, void> {
  const key = `${range.from}/${range.to}`;
  const saved = options.cursor?.["range"] === key ? options.cursor : undefined;
  const span = { from: secondsOf(range.from), to: secondsOf(range.to) };
  const at = (tier: string, page?: string, after?: string): Cursor => ({
    range: key,
    tier,
    page: page ?? null,
    after: after ?? null,
  });
  const savedTier = cursorText(saved, "tier");
  const done = new Set<string>();
  if (savedTier === "done") return;
  for (const tier of savedTier === "historical" ? (["historical"] as const) : (["live", "historical"] as const)) {
    const resume = tier === (savedTier ?? "live") ? saved : undefined;
    for await (const step of marketsOf(options, tier, span, cursorText(resume, "page"))) {
      let after = step.isFirst ? cursorText(resume, "after") : undefined;
      const place = step.page.findIndex((market) => market.ticker === after);
      let gathered: InsertRow[] = [];
      const batch = (): Batch => {
        const rows = gathered;
        gathered = [];
        return { rows: [{ table: kalshiCandles, rows }], cursor: at(tier, step.from, after) };
      };
      for (const [index, market] of step.page.slice(place + 1).entries()) {
        let isWhole = !done.has(market.ticker);
        for await (const rows of isWhole ? candlesOf(options, tier, market, step.known, span) : []) {
          isWhole = rows !== undefined;
          if (rows === undefined) break;
          gathered.push(...rows);
          if (gathered.length >= BATCH_ROWS) yield batch();
        }
        // Near the cutoff a settled market is in both tiers.
        if (isWhole && market.settlement_ts) done.add(market.ticker);
        after = market.ticker;
        if ((index + 1) % BATCH_MARKETS === 0) yield batch();
      }
      yield batch();
    }
  }
  yield { rows: [], cursor: at("done"), since: range.from, isCaughtUp: true };
}

async function* marketsOf(options: PullOptions, tier: Tier, span: Span, resumed: string | undefined) {
  const known = new Map<string, EventFacts>();
  const path = tier === "live" ? "/markets" : "/historical/markets";
  const filters = tier === "live" ? { min_close_ts: span.from } : {};
  let from = resumed;
  let isFirst = true;
  for await (const step of walkMarkets(options, path, filters, known, resumed)) {
    const settled = step.page.flatMap((market) => (market.settlement_ts ? [secondsOf(market.settlement_ts)] : []));
    yield { page: step.page, known, from, isFirst };
    // The historical tier has no time filter and gives the newest settlement first.
    if (tier === "historical" && settled.some((moment) => moment < span.from)) return;
    from = step.next;
    isFirst = false;
  }
}

async function* candlesOf(
  options: PullOptions,
  tier: Tier,
  market: MarketReply,
  known: ReadonlyMap<string, EventFacts>,
  span: Span,
): AsyncGenerator<readonly InsertRow[] | undefined> {
  const start = Math.max(span.from, market.open_time ? secondsOf(market.open_time) : span.from);
  const end = Math.min(span.to, market.close_time ? secondsOf(market.close_time) : span.to);
  const series = known.get(market.event_ticker)?.series_ticker;
  const path =
    tier === "historical" || series === undefined
      ? `/historical/markets/${encodeURIComponent(market.ticker)}/candlesticks`
      : `/series/${encodeURIComponent(series)}/markets/${encodeURIComponent(market.ticker)}/candlesticks`;
  for (let from = start; from <= end; from += WINDOW_SECONDS) {
    options.signal.throwIfAborted();
    const filters = { start_ts: from, end_ts: Math.min(end + 59, from + WINDOW_SECONDS - 1), period_interval: 1 };
    // Undefined when it left this tier since it was listed: the historical walk comes after.
    const ifChanged = { from: from * 1000, to: filters.end_ts * 1000, instruments: [market.ticker] };
    const reply = await options.feed.get({ ...kalshiCall(path, filters, [404]), ifChanged }, candlesReply);
    yield reply && (reply.candlesticks ?? []).map((candle) => toCandle(market.ticker, 1, candle));
  }
}
