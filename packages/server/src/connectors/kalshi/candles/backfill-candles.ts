import type { Batch, Cursor, PullOptions } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { kalshiCandles } from "../../../tables/kalshi-candles.ts";
import { batchCandles, type CandleSpan, inBatches, spanOf } from "./batch-candles.ts";
import { candlesReply, toCandle } from "./candle-reply.ts";
import { cursorText } from "../../../definition/cursor-number.ts";
import { kalshiCall } from "../wire/walk-pages.ts";
import { type EventFacts, walkMarkets } from "../catalogue/walk-markets.ts";
import type { MarketReply } from "../catalogue/replies.ts";
import { secondsOf } from "../wire/values.ts";

/** One single-market reply contains at most 5,000 candles. */
const WINDOW_SECONDS = 4800 * 60;

/** Most markets have few candles, so rows are batched: a small insert costs as much as a large one. */
const BATCH_ROWS = 10_000;
/** The cursor is saved after this many markets of a page. */
const SLICE_MARKETS = 200;

type Tier = "live" | "historical";
type Wanted = CandleSpan & { readonly market: MarketReply };
type Known = ReadonlyMap<string, EventFacts>;

/** One-minute candles of every market that was open in the range: the live tier first, then the historical one. */
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
      for (let first = place + 1; first < step.page.length; first += SLICE_MARKETS) {
        const slice = step.page.slice(first, first + SLICE_MARKETS);
        for await (const rows of candlesOfAll(options, tier, wantedOf(slice, span, done), step.known, done)) {
          gathered.push(...rows);
          if (gathered.length >= BATCH_ROWS) yield batch();
        }
        after = slice.at(-1)?.ticker;
        yield batch();
      }
    }
  }
  yield { rows: [], cursor: at("done"), since: range.from, isCaughtUp: true };
}

/** The span to read of each market: the part of the range in which it was open, to the end of its last minute. */
function wantedOf(page: readonly MarketReply[], span: CandleSpan, done: ReadonlySet<string>): Wanted[] {
  return page.flatMap((market) => {
    const from = Math.max(span.from, market.open_time ? secondsOf(market.open_time) : span.from);
    const to = Math.min(span.to, market.close_time ? secondsOf(market.close_time) : span.to);
    return from > to || done.has(market.ticker) ? [] : [{ market, from, to: to + 59 }];
  });
}

/** Adds fully read settled markets to `done`, because near the cutoff they are in both tiers. */
async function* candlesOfAll(
  options: PullOptions,
  tier: Tier,
  wanted: readonly Wanted[],
  known: Known,
  done: Set<string>,
): AsyncGenerator<readonly InsertRow[]> {
  const left = tier === "live" ? yield* candlesInBatches(options, wanted) : wanted;
  const apart = new Set(left.map(({ market }) => market));
  for (const { market } of wanted) if (market.settlement_ts && !apart.has(market)) done.add(market.ticker);
  for (const one of left) {
    let isWhole = true;
    for await (const rows of candlesOf(options, tier, one, known)) {
      isWhole = rows !== undefined;
      if (rows === undefined) break;
      yield rows;
    }
    if (isWhole && one.market.settlement_ts) done.add(one.market.ticker);
  }
}

/**
 * Candles of live-tier markets, many per call. Returns the unread rest of markets without a candle in their last
 * window, because the reply does not tell a market that left the tier from one without candles.
 */
async function* candlesInBatches(
  options: PullOptions,
  wanted: readonly Wanted[],
): AsyncGenerator<readonly InsertRow[], readonly Wanted[]> {
  const left: Wanted[] = [];
  for (const batch of inBatches(wanted)) {
    const tickers = batch.map(({ market }) => market.ticker);
    /** The second after the last candle of each market. */
    const unread = new Map<Wanted, number>();
    const isLastEmpty = new Set<Wanted>();
    for await (const { window, candles } of batchCandles(options, tickers, spanOf(batch))) {
      const read: InsertRow[] = [];
      for (const one of batch.filter(({ from, to }) => from <= window.to && to >= window.from)) {
        const own = (candles.get(one.market.ticker) ?? []).filter((row) => isWithin(one, Number(row["end_time"])));
        read.push(...own);
        if (own.length === 0) isLastEmpty.add(one);
        else {
          isLastEmpty.delete(one);
          unread.set(one, Math.max(...own.map((row) => Number(row["end_time"]))) + 1);
        }
      }
      yield read;
    }
    for (const one of isLastEmpty) left.push({ ...one, from: unread.get(one) ?? one.from });
  }
  return left;
}

const isWithin = ({ from, to }: CandleSpan, second: number): boolean => second >= from && second <= to;

async function* marketsOf(options: PullOptions, tier: Tier, span: CandleSpan, resumed: string | undefined) {
  const known = new Map<string, EventFacts>();
  const path = tier === "live" ? "/markets" : "/historical/markets";
  const filters = tier === "live" ? { min_close_ts: span.from } : {};
  let from = resumed;
  let isFirst = true;
  for await (const step of walkMarkets(options, path, filters, known, resumed)) {
    const settled = step.page.flatMap((market) => (market.settlement_ts ? [secondsOf(market.settlement_ts)] : []));
    yield { page: step.page, known, from, isFirst };
    // The historical tier has no time filter and gives the newest settlement first.
    if (tier === "historical" && settled.some((timestamp) => timestamp < span.from)) return;
    from = step.next;
    isFirst = false;
  }
}

/** Yields undefined if the market left this tier after it was listed: the historical walk reads it later. */
async function* candlesOf(
  options: PullOptions,
  tier: Tier,
  { market, from: start, to: end }: Wanted,
  known: Known,
): AsyncGenerator<readonly InsertRow[] | undefined> {
  const series = known.get(market.event_ticker)?.series_ticker;
  const path =
    tier === "historical" || series === undefined
      ? `/historical/markets/${encodeURIComponent(market.ticker)}/candlesticks`
      : `/series/${encodeURIComponent(series)}/markets/${encodeURIComponent(market.ticker)}/candlesticks`;
  for (let from = start; from <= end; from += WINDOW_SECONDS) {
    options.signal.throwIfAborted();
    const filters = { start_ts: from, end_ts: Math.min(end, from + WINDOW_SECONDS - 1), period_interval: 1 };
    const ifChanged = { from: from * 1000, to: filters.end_ts * 1000, instruments: [market.ticker] };
    const reply = await options.feed.get({ ...kalshiCall(path, filters, [404]), ifChanged }, candlesReply);
    yield reply && (reply.candlesticks ?? []).map((candle) => toCandle(market.ticker, 1, candle));
  }
}
