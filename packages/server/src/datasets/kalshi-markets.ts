import { cents, id, iso, num, text } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { hasWords, isIn, within, searchedWords } from "../definition/filter.ts";
import { between, oneOf } from "../definition/listed.ts";
import { choice, kalshiTicker, dateTime, sorting, words } from "../definition/param-kinds.ts";
import { bind, given, sql } from "../definition/sql.ts";
import { byAmount, byMicrosecond, orderKey, sortedBy } from "../definition/sorting.ts";
import { asOfSnapshot, newestVersion } from "../definition/table-sql.ts";
import { kalshiMarkets } from "../tables/kalshi-markets.ts";

/** The venue's filters and its objects use different words for a status; both are accepted. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  unopened: ["initialized"],
  open: ["active"],
  active: ["active"],
  paused: ["inactive"],
  inactive: ["inactive"],
  closed: ["closed", "determined", "disputed", "amended"],
  settled: ["finalized"],
  finalized: ["finalized"],
  initialized: ["initialized"],
  determined: ["determined"],
  disputed: ["disputed"],
  amended: ["amended"],
};

const SORTS = {
  volume: byAmount(sql`volume`, "volume"),
  volume_24h: byAmount(sql`volume_24h`, "volume_24h"),
  open_interest: byAmount(sql`open_interest`, "open_interest"),
  close_time: byMicrosecond(sql`close_time`, "close_time"),
  created_time: byMicrosecond(sql`created_time`, "created_time"),
};
const unique = orderKey(sql`ticker`, "asc", "text", "ticker");

export const kalshiMarketsDataset = defineDataset({
  agentId: 565,
  name: "kalshi-markets",
  title: "Kalshi markets",
  summary: "The catalogue of Kalshi: tickers, titles, status, result, prices in cents and volume in contracts.",
  plan: "free",
  params: {
    ticker: kalshiTicker().list().describe("Ticker of the market."),
    event_ticker: kalshiTicker().list().describe("Ticker of the event."),
    series_ticker: kalshiTicker().list().describe("Ticker of the series."),
    title: words().describe(
      "Words or word prefixes of title and ticker, in any letter case; a misspelt word is replaced by the nearest word, and a warning says so.",
    ),
    status: choice(...Object.keys(STATUSES)).describe(
      "Status, as named in the venue's filters or its objects. closed: past its close and not yet settled.",
    ),
    close_time_min: dateTime("start").describe("Earliest close, inclusive."),
    close_time_max: dateTime("end").describe("Latest close, inclusive."),
    sort_by: sorting(...Object.keys(SORTS))
      .default("volume")
      .describe("Field to sort rows by."),
    sort_order: sorting("desc", "asc").default("desc").describe("Sort direction."),
  },
  row: {
    ticker: id().describe("Ticker."),
    event_ticker: id().describe("Ticker of the event."),
    title: text().describe("Title."),
    status: text().describe("Status, as named in the venue's object."),
    result: text().maybe("yes, no or scalar; null while undecided."),
    last_price: cents().maybe("Last trade, YES; null where never traded."),
    volume: num("contracts").describe("Traded, all time."),
    volume_24h: num("contracts").describe("Traded in the last 24 hours."),
    open_time: iso().maybe("Open."),
    close_time: iso().maybe("Close."),
    expiration_time: iso().maybe("Expiration."),
    created_time: iso().maybe("Creation."),
    yes_bid: cents().maybe("Best YES bid; null if absent."),
    yes_ask: cents().maybe("Best YES ask; null if absent."),
    open_interest: num("contracts").describe("Open contracts."),
    settlement_value: num("USD").maybe("What a YES contract paid; null while unsettled."),
    category: text().describe("Category; empty if unknown."),
  },
  limit: { default: 50, max: 1_000 },
  order: "sort_by (volume) in sort_order (descending), then ticker",
  tables: [kalshiMarkets],
  ordered: { from: "close_time_min", to: "close_time_max" },
  snapshot: newestVersion(kalshiMarkets),
  cursorHours: 24,
  isHot: true,
  query: (p, asking) => ({
    from: asOfSnapshot(kalshiMarkets, asking.snapshot),
    where: [
      given(p.ticker, (tickers) => isIn("ticker", "text", tickers)),
      given(p.event_ticker, (tickers) => isIn("event_ticker", "text", tickers)),
      given(p.series_ticker, (tickers) => isIn("series_ticker", "text", tickers)),
      given(p.title, (requested) => hasWords(sql`search`, requested)),
      given(p.status, ({ value }) => isIn("status", "text", bind("Array(String)", STATUSES[String(value)] ?? []))),
      ...within(sql`close_time`, p.close_time_min, p.close_time_max),
    ],
    order: sortedBy(SORTS, { by: p.sort_by, order: p.sort_order }, unique),
    key: sql`ticker`,
  }),
  listed: {
    table: kalshiMarkets,
    unique: "ticker",
    columns: {
      ticker: { kind: "text" },
      event_ticker: { kind: "text" },
      series_ticker: { kind: "text" },
      search: { kind: "words" },
      status: { kind: "label" },
      volume: { kind: "amount" },
      volume_24h: { kind: "amount" },
      open_interest: { kind: "amount" },
      close_time: { kind: "moment" },
      created_time: { kind: "moment" },
    },
    order: (p) => sortedBy(SORTS, { by: p.sort_by, order: p.sort_order }, unique),
    tests: (p) => [
      oneOf("ticker", p.ticker),
      oneOf("event_ticker", p.event_ticker),
      oneOf("series_ticker", p.series_ticker),
      p.title && { column: "search", words: searchedWords(String(p.title.value)) },
      p.status && { column: "status", oneOf: STATUSES[String(p.status.value)] ?? [] },
      ...between("close_time", p.close_time_min, p.close_time_max),
    ],
    searched: { param: "title", column: "search" },
  },
  related: [573, 1101, 1102],
  examples: [
    { title: "The most traded open markets", params: { status: "open" } },
    { title: "A search by words", params: { title: "<title_word>" } },
  ],
});
