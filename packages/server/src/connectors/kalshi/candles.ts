import { definePull, type Batch, type PullOptions } from "../../definition/connector.ts";
import { kalshiCandles } from "../../tables/kalshi-candles.ts";
import { backfillCandles } from "./candles/backfill-candles.ts";
import { batchCandles, MAX_TICKERS } from "./candles/batch-candles.ts";
import { readCandles } from "./candles/candle-reply.ts";
import { cursorNumber, cursorText } from "../../definition/cursor-number.ts";
import { kalshiHost } from "./hosts.ts";

const MINUTE = 60;
/** Minutes read again each cycle: candles are revised, and a market may be active a while before we learn of it. */
const OVERLAP_MINUTES = 15;
const FIRST_MINUTES = 60;
/** How far back the newest candle seen may lie for a cycle to start there. */
const MAX_SEEN_SECONDS = 6 * 3600;
/** Markets that closed within the last two hours are included, less the time a cycle takes. */
const CLOSED_KNOWN_SECONDS = 90 * 60;

/** One-minute candles of active and recently closed markets, a hundred a call; a backfill walks the range's markets. */
export const kalshiCandlesStream = definePull({
  name: "kalshi-candles",
  title: "Kalshi candles",
  venue: "kalshi",
  host: kalshiHost,
  tables: [kalshiCandles],
  everySeconds: 120,
  canBackfill: true,
  pull: (options) => (options.range ? backfillCandles(options, options.range) : pullCandles(options)),
  replay: (page) => [{ table: kalshiCandles, rows: readCandles(page) }],
});

/**
 * A cycle goes through the tickers in order; `after` is the last one done, for resuming an interrupted cycle. It starts
 * at the newest candle seen (`seen_ts`) if that is before the end of the last cycle, which a clock that was ahead may
 * have put in the future.
 */
async function* pullCandles(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const { cursor } = options;
  const lastMinute = Math.floor(options.now() / 1000 / MINUTE) * MINUTE;
  const reached = cursorNumber(cursor, "reached_ts");
  const after = cursorText(cursor, "after");
  const end = (after === undefined ? undefined : cursorNumber(cursor, "end_ts")) ?? lastMinute;
  const seen = cursorNumber(cursor, "seen_ts");
  let newest = seen ?? 0;
  const start = reached === undefined ? end - FIRST_MINUTES * MINUTE : startOf(reached, seen, end);
  const before = { reached_ts: reached ?? null, seen_ts: seen ?? null, end_ts: end };
  const tickers = [...(await options.known("recent_kalshi_tickers"))].sort();
  const rest = after === undefined ? tickers : tickers.filter((ticker) => ticker > after);
  for (let at = 0; at < rest.length; at += MAX_TICKERS) {
    const chunk = rest.slice(at, at + MAX_TICKERS);
    for await (const { candles } of batchCandles(options, chunk, { from: start, to: end })) {
      const rows = [...candles.values()].flat();
      for (const { end_time } of rows) newest = Math.max(newest, Math.min(Number(end_time), end));
      yield { rows: [{ table: kalshiCandles, rows }], cursor: { ...before, after: after ?? null } };
    }
    yield { rows: [], cursor: { ...before, after: chunk.at(-1) ?? null } };
  }
  yield {
    rows: [],
    cursor: { reached_ts: end, seen_ts: newest === 0 ? null : newest, end_ts: null, after: null },
    reached: new Date(end * 1000).toISOString(),
    ...(reached === undefined && { since: new Date(start * 1000).toISOString() }),
    ...(reached !== undefined && end - reached > CLOSED_KNOWN_SECONDS && { gap: closedMeanwhile(reached, end) }),
    isCaughtUp: end === lastMinute,
  };
}

function startOf(reached: number, seen: number | undefined, end: number): number {
  const from = seen === undefined ? reached : Math.min(reached, Math.max(seen, end - MAX_SEEN_SECONDS));
  return from - OVERLAP_MINUTES * MINUTE;
}

/** After a long downtime: markets closed too long ago are skipped by the live walk. */
function closedMeanwhile(from: number, to: number): NonNullable<Batch["gap"]> {
  const [first, last] = [from, to].map((seconds) => new Date(seconds * 1000).toISOString()) as [string, string];
  return { from: first, to: last, reason: "the last candles of markets that closed during downtime" };
}
