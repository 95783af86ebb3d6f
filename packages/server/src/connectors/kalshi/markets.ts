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
import { marketsReply, type MarketReply } from "./catalogue/market-reply.ts";
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

/** Each mark follows the walk that asks from it on: what another walk shows later, that one may not have read. */
const FOLLOWED = [
  { mark: "created_ts", askedBy: "min_created_ts", moment: "created_time" },
  { mark: "updated_ts", askedBy: "min_updated_ts", moment: "updated_time" },
  { mark: "closed_ts", askedBy: "min_close_ts", moment: "close_time" },
  { mark: "settled_ts", askedBy: "min_settled_ts", moment: "settlement_ts" },
] as const;

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
  let shown = 0;
  for (const filters of walks) {
    for await (const step of walkMarkets(options, "/markets", filters, known)) {
      advance(next, step, startedAt);
      if (filters === walks[0]) shown = Math.max(shown, latestOf(step.page, ["created_time", "updated_time"]));
      yield { ...step.batch, cursor: marks };
    }
    if (filters === full) next.full_at = startedAt;
  }
  if (first) start(next, shown === 0 ? startedAt : Math.min(shown, startedAt));
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

/** No mark passes the turn's start: what came while a long walk was being read may be on a page before. */
function advance(marks: Marks, { page, filters }: MarketsStep, startedAt: number): void {
  for (const { mark, askedBy, moment } of FOLLOWED) {
    if (filters[askedBy] === undefined) continue;
    marks[mark] = Math.max(marks[mark], Math.min(latestOf(page, [moment]), startedAt));
  }
}

type Moment = "created_time" | "updated_time" | "close_time" | "settlement_ts";

/** Unix seconds; 0 where none is told. */
function latestOf(page: readonly MarketReply[], fields: readonly Moment[]): number {
  const moments = page.flatMap((market) => fields.map((field) => market[field]));
  return moments.reduce((latest, moment) => (moment ? Math.max(latest, secondsOf(moment)) : latest), 0);
}

/** After the first walk: what follows is asked for from the venue's latest moment that its first pages showed. */
function start(marks: Marks, at: number): void {
  for (const { mark } of FOLLOWED) if (marks[mark] === 0) marks[mark] = at;
}

/** Series and category come from the event, which the page has not: the next walk of the market brings them. */
function replayMarkets({ path, read, receivedMs }: ReplayedPage): TableRows[] {
  if (path.startsWith("/events")) return [];
  const { markets } = read(marketsReply);
  const rows = (markets ?? []).map((market) => toMarket(market, undefined, receivedMs));
  return [{ table: kalshiMarkets, rows, mode: "if_absent" }];
}
