import {
  definePull,
  type Batch,
  type Cursor,
  type PullOptions,
  type ReplayedPage,
  type TableRows,
} from "../../definition/connector.ts";
import { kalshiMarkets } from "../../tables/kalshi-markets.ts";
import { backfillMarkets } from "./catalogue/backfill-markets.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import { kalshiHost } from "./hosts/kalshi-host.ts";
import { marketsReply } from "./catalogue/market-reply.ts";
import { toMarket } from "./catalogue/to-market.ts";
import type { EventFacts } from "./catalogue/learn-events.ts";
import type { Filters } from "./wire/kalshi-call.ts";
import { secondsOf } from "./wire/to-moment.ts";
import { walkMarkets, type MarketsStep } from "./catalogue/walk-markets.ts";

/** The CDN may give an answer 15 s old; the rest is for clocks and for rows that show late. */
const OVERLAP_SECONDS = 90;
/** A closed market goes on to be determined, disputed, amended; nine in ten are settled within the hour. */
const CLOSED_OVERLAP_SECONDS = 3600;
const TICKERS_A_CALL = 100;
/** Over 120,000 markets are open: 120 pages. Quotes of markets that nobody asked for need not be fresher. */
const FULL_EVERY_SECONDS = 900;

/** The venue's clock at the last row of each kind, Unix seconds; 0 before the first. */
type Marks = { created_ts: number; updated_ts: number; closed_ts: number; settled_ts: number; full_at: number };

/**
 * Markets: all open ones at intervals; between, those that are new, those whose hour to open has come, those whose
 * description changed, those that closed and those that settled since. Combos are left out. A backfill walks what settled in the range through both
 * tiers.
 */
export const kalshiMarketsStream = definePull({
  name: "kalshi-markets",
  title: "Kalshi markets",
  venue: "kalshi",
  host: kalshiHost,
  tables: [kalshiMarkets],
  everySeconds: 60,
  canBackfill: true,
  pull: (options) => (options.range ? backfillMarkets(options, options.range) : pullMarkets(options)),
  replay: replayMarkets,
});

async function* pullMarkets(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const known = new Map<string, EventFacts>();
  const marks = marksOf(options.cursor);
  const first = marks.full_at === 0;
  const startedAt = Math.floor(options.now() / 1000);
  const next = { ...marks };
  const walks: Filters[] = first ? [] : changesSince(marks);
  if (!first) walks.push(...(await openingNow(options)));
  if (first) walks.push({ status: "unopened" }, { status: "paused" }, { status: "closed" });
  const full: Filters = { status: "open" };
  if (startedAt - marks.full_at >= FULL_EVERY_SECONDS || startedAt < marks.full_at) walks.push(full);
  for (const filters of walks) {
    for await (const step of walkMarkets(options, "/markets", filters, known)) {
      advance(next, step);
      yield { ...step.batch, cursor: marks };
    }
    if (filters === full) next.full_at = startedAt;
  }
  if (first) start(next, startedAt);
  const reached = new Date(startedAt * 1000).toISOString();
  // What settled before the first walk is a backfill's.
  yield { rows: [], cursor: next, reached, ...(first && { since: reached }), isCaughtUp: true };
}

/** A market opens by its clock, without a sign: those whose hour has come are asked for by name. */
async function openingNow({ known }: PullOptions): Promise<Filters[]> {
  const tickers = await known("opening_kalshi_tickers");
  const chunks = Math.ceil(tickers.length / TICKERS_A_CALL);
  return Array.from({ length: chunks }, (_, index) => ({
    tickers: tickers.slice(index * TICKERS_A_CALL, (index + 1) * TICKERS_A_CALL).join(","),
  }));
}

function changesSince(marks: Marks): Filters[] {
  return [
    { min_created_ts: Math.max(0, marks.created_ts - OVERLAP_SECONDS) },
    { min_updated_ts: marks.updated_ts - OVERLAP_SECONDS },
    { status: "closed", min_close_ts: Math.max(0, marks.closed_ts - CLOSED_OVERLAP_SECONDS) },
    { status: "settled", min_settled_ts: marks.settled_ts - OVERLAP_SECONDS },
  ];
}

function marksOf(cursor: Cursor | undefined): Marks {
  const mark = (field: keyof Marks) => cursorNumber(cursor, field) ?? 0;
  return {
    created_ts: mark("created_ts"),
    updated_ts: mark("updated_ts"),
    closed_ts: mark("closed_ts"),
    settled_ts: mark("settled_ts"),
    full_at: mark("full_at"),
  };
}

function advance(marks: Marks, { page, filters }: MarketsStep): void {
  for (const market of page) {
    if (market.created_time) marks.created_ts = Math.max(marks.created_ts, secondsOf(market.created_time));
    if (market.updated_time) marks.updated_ts = Math.max(marks.updated_ts, secondsOf(market.updated_time));
    if (market.settlement_ts) marks.settled_ts = Math.max(marks.settled_ts, secondsOf(market.settlement_ts));
    if (filters.status === "closed" && market.close_time) {
      marks.closed_ts = Math.max(marks.closed_ts, secondsOf(market.close_time));
    }
  }
}

/** After the first walk: closings and settlements are followed from the venue's latest moment seen, by its own clock. */
function start(marks: Marks, startedAt: number): void {
  if (marks.updated_ts === 0) marks.updated_ts = startedAt;
  if (marks.created_ts === 0) marks.created_ts = marks.updated_ts;
  if (marks.closed_ts === 0) marks.closed_ts = marks.updated_ts;
  if (marks.settled_ts === 0) marks.settled_ts = marks.updated_ts;
}

/** Series and category come from the event, which the page has not: the next walk of the market brings them. */
function replayMarkets({ path, read, receivedMs }: ReplayedPage): TableRows[] {
  if (path.startsWith("/events")) return [];
  const { markets } = read(marketsReply);
  const rows = (markets ?? []).map((market) => toMarket(market, undefined, receivedMs));
  return [{ table: kalshiMarkets, rows, mode: "if_absent" }];
}
