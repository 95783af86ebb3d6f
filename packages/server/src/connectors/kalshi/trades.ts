import { definePull, type Batch, type PullOptions } from "../../definition/connector.ts";
import { kalshiTrades } from "../../tables/kalshi-trades.ts";
import { backfillTrades } from "./tape/backfill-trades.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import { BOTH_TIERS_SECONDS, goneFromLive, LIVE_SECONDS, readCutoff } from "./wire/read-cutoff.ts";
import { kalshiCall } from "./wire/walk-pages.ts";
import { kalshiHost } from "./hosts.ts";
import { secondsOf, timestampOf } from "./wire/values.ts";
import { toTrade, tradesReply, walkTape } from "./tape/walk-tape.ts";

/** Overlap in seconds that each cycle reads again, for trades that appear late. */
const OVERLAP_SECONDS = 15;
/** A tape that lags by more is caught up in windows of this many seconds, oldest first, to lose little on a stop. */
const WINDOW_SECONDS = 900;
/** How far back the very first walk goes: 10,000 trades. */
const FIRST_PAGES = 10;
/** A trade is on the tape well within this. */
const SETTLE_MS = 10_000;

/**
 * Every trade, from the global tape (newest first). The websocket's trade channel is not used: it gives milliseconds
 * where this gives microseconds, and one trade must stay one row.
 */
export const kalshiTradesStream = definePull({
  name: "kalshi-trades",
  title: "Kalshi trades",
  venue: "kalshi",
  host: kalshiHost,
  tables: [kalshiTrades],
  everySeconds: 5,
  canBackfill: true,
  settleSeconds: SETTLE_MS / 1000,
  pull: (options) => (options.range ? backfillTrades(options, options.range) : pullTrades(options)),
  replay: ({ read }) => [{ table: kalshiTrades, rows: (read(tradesReply).trades ?? []).map(toTrade) }],
});

async function* pullTrades(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const known = cursorNumber(options.cursor, "last_ts");
  if (known === undefined) return yield* firstTrades(options);
  const now = nowSeconds(options);
  let last: number = Math.min(known, now);
  const head = now - last > WINDOW_SECONDS ? Math.min(await newestTrade(options), now) : 0;
  let reported = 0;
  for (let to = last + WINDOW_SECONDS; to < head; to = last + WINDOW_SECONDS) {
    const cutoff: number = head - last > LIVE_SECONDS ? (await readCutoff(options.feed)).trades : 0;
    if (cutoff > reported && last < cutoff + BOTH_TIERS_SECONDS) {
      // The cutoff may have passed the previous window while that was being read.
      const gap = goneFromLive(last - WINDOW_SECONDS, cutoff);
      [last, reported] = [Math.max(last, cutoff), cutoff];
      yield { rows: [], cursor: { last_ts: last }, gap };
      continue;
    }
    for await (const step of walkTape(options, "/markets/trades", { from: last - OVERLAP_SECONDS, to }, new Set())) {
      yield { ...step.batch, cursor: { last_ts: last } };
    }
    last = to;
    yield { rows: [], cursor: { last_ts: last }, reached: new Date(last * 1000).toISOString() };
  }
  yield* latestTrades(options, last);
}

/**
 * From a known time to the head of the tape. The cursor moves only at the end, because the oldest page comes last. It
 * does not pass this machine's time: trades that follow one stamped ahead have earlier times.
 */
async function* latestTrades(options: PullOptions, last: number): AsyncGenerator<Batch, void, void> {
  const began = options.now();
  const settled = new Date(began - SETTLE_MS).toISOString();
  let newest = "";
  const window = { from: last - OVERLAP_SECONDS };
  for await (const step of walkTape(options, "/markets/trades", window, new Set())) {
    if (step.newest !== undefined && step.newest > newest) newest = step.newest;
    yield { ...step.batch, cursor: { last_ts: last } };
  }
  const seen = notAfter(newest, began);
  const reached = seen > settled ? seen : settled;
  const next = seen === "" ? last : Math.max(last, secondsOf(seen));
  yield { rows: [], cursor: { last_ts: next }, reached, isCaughtUp: true };
}

/** The first walk has no cursor: it reads the head of the tape and reports where it begins. */
async function* firstTrades(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const began = options.now();
  let newest: string | undefined;
  let oldest: string | undefined;
  let pages = 0;
  for await (const step of walkTape(options, "/markets/trades", {}, new Set())) {
    newest ??= step.newest;
    oldest = step.oldest ?? oldest;
    yield { ...step.batch, cursor: { last_ts: null } };
    pages += 1;
    if (pages === FIRST_PAGES) break;
  }
  if (newest === undefined || oldest === undefined) {
    yield { rows: [], cursor: { last_ts: null }, isCaughtUp: true };
    return;
  }
  const reached = notAfter(newest, began);
  // Other trades of the second in which the walk broke off may be on the next page.
  const since = pages < FIRST_PAGES ? oldest : timestampOf(secondsOf(oldest) + 1);
  yield { rows: [], cursor: { last_ts: secondsOf(reached) }, since, reached, isCaughtUp: true };
}

const nowSeconds = ({ now }: PullOptions): number => Math.floor(now() / 1000);

/** The time of a trade, or `timestamp` (Unix ms) if that is earlier; "" for none. */
function notAfter(trade: string, timestamp: number): string {
  const latest = new Date(timestamp).toISOString();
  return trade < latest ? trade : latest;
}

/** Time of the newest trade by the venue's clock, Unix seconds; 0 for an empty tape. */
async function newestTrade(options: PullOptions): Promise<number> {
  const reply = await options.feed.get(kalshiCall("/markets/trades", { limit: 1 }), tradesReply);
  const newest = reply?.trades?.[0]?.created_time;
  return newest === undefined ? 0 : secondsOf(newest);
}
