import {
  definePull,
  type Batch,
  type PullOptions,
  type ReplayedPage,
  type TableRows,
} from "../../definition/connector.ts";
import { kalshiMarkets } from "../../tables/kalshi-markets.ts";
import { backfillMarkets } from "./catalogue/backfill-markets.ts";
import { kalshiHost } from "./hosts.ts";
import { type MarketMarks, marketMarks } from "./catalogue/market-marks.ts";
import { marketsReply } from "./catalogue/replies.ts";
import { toMarket, type EventFacts, walkMarkets } from "./catalogue/walk-markets.ts";
import { BOTH_TIERS_SECONDS, goneFromLive, LIVE_SECONDS, readCutoff } from "./wire/read-cutoff.ts";
import type { Filters } from "./wire/walk-pages.ts";

const TICKERS_A_CALL = 100;
/** Over 120,000 markets are open: 120 pages. Quotes of markets that no client requested need not be fresher. */
const FULL_EVERY_SECONDS = 900;

/**
 * Markets: all unsettled ones at intervals; between, those that are new, due to open, changed in description, closed or
 * settled since. Combos are skipped. A backfill walks the markets settled in the range through both tiers.
 */
export const kalshiMarketsStream = definePull({
  name: "kalshi-markets",
  title: "Kalshi markets",
  venue: "kalshi",
  host: kalshiHost,
  tables: [kalshiMarkets],
  everySeconds: 60,
  canBackfill: true,
  walksAgain: true,
  pull: (options) => (options.range ? backfillMarkets(options, options.range) : pullMarkets(options)),
  replay: replayMarkets,
});

async function* pullMarkets(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const known = new Map<string, EventFacts>();
  const marks = marketMarks.of(options.cursor);
  const first = marks.full_at === 0;
  const startedAt = Math.floor(options.now() / 1000);
  const next = { ...marks };
  const walks: Filters[] = first ? [] : marketMarks.changesSince(marks);
  if (!first) walks.push(...(await openingNow(options)));
  const full: Filters = { status: "open" };
  const isFull = startedAt - marks.full_at >= FULL_EVERY_SECONDS || startedAt < marks.full_at;
  // A pause may not count as a change, and these walks include markets that a page of an earlier walk missed.
  if (isFull) walks.push({ status: "unopened" }, { status: "closed" }, { status: "paused" }, full);
  let shown = 0;
  for (const filters of walks) {
    for await (const step of walkMarkets(options, "/markets", filters, known)) {
      marketMarks.advance(next, step, startedAt);
      if (filters === walks[0]) shown = Math.max(shown, marketMarks.shownOn(step.page));
      yield { ...step.batch, cursor: marks };
    }
    if (filters === full) next.full_at = startedAt;
  }
  if (first) marketMarks.start(next, shown === 0 ? startedAt : Math.min(shown, startedAt));
  const reached = new Date(startedAt * 1000).toISOString();
  const left = first ? {} : await leftMeanwhile(options, marks, startedAt);
  // Markets settled before the first walk are left to a backfill.
  yield { rows: [], cursor: next, reached, ...(first && { since: reached }), ...left, isCaughtUp: true };
}

/** After a long downtime: markets settled in it may have left the live tier unread. */
async function leftMeanwhile(
  { feed }: PullOptions,
  marks: MarketMarks,
  startedAt: number,
): Promise<Pick<Batch, "gap">> {
  if (startedAt - marks.full_at < LIVE_SECONDS) return {};
  const { markets } = await readCutoff(feed);
  const from = marketMarks.settledFrom(marks);
  return from < markets + BOTH_TIERS_SECONDS ? { gap: goneFromLive(from, markets) } : {};
}

/** A market opens by its schedule, without a change in the lists: those due to open are requested by ticker. */
async function openingNow({ known }: PullOptions): Promise<Filters[]> {
  const tickers = await known("opening_kalshi_tickers");
  const chunks = Math.ceil(tickers.length / TICKERS_A_CALL);
  return Array.from({ length: chunks }, (_, index) => ({
    tickers: tickers.slice(index * TICKERS_A_CALL, (index + 1) * TICKERS_A_CALL).join(","),
  }));
}

/** Series and category come from the event, which the page lacks: the next walk of the market adds them. */
function replayMarkets({ path, read, receivedMs }: ReplayedPage): TableRows[] {
  if (path.startsWith("/events")) return [];
  const { markets } = read(marketsReply);
  const rows = (markets ?? []).map((market) => toMarket(market, undefined, receivedMs));
  return [{ table: kalshiMarkets, rows, mode: "if_absent" }];
}
