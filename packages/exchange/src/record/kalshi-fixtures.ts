import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lazy } from "./lazy.ts";
import { kalshiPath } from "./kalshi-path.ts";
import type { RecordedReply, Recording } from "./recording.ts";

const GOLDEN = "kalshi/golden_fixtures";
const LIVE = "kalshi/live_samples_2026";

interface Fixture {
  file: string;
  /** After /trade-api/v2. */
  path: string;
  /** Query that the request must carry. */
  query?: Record<string, string>;
  /** Part of the file that is the reply. */
  pick?: (content: Record<string, unknown>) => unknown;
}

const MVE = "KXMVENFLSINGLEGAME-S202513E70FA7695-688BECB3826";
const MARS = "/series/KXELONMARS";

/** First match wins: the samples of 2026-06 to 09 stand before the fixtures of January. */
const FIXTURES: readonly Fixture[] = [
  live("market_and_orderbook_KXELONMARS-99_ccxt", "/markets/KXELONMARS-99", ({ market }) => ({ market })),
  live("market_and_orderbook_KXELONMARS-99_ccxt", "/markets/KXELONMARS-99/orderbook", pick("orderbook_fp")),
  live("markets_subpenny_KXCOLONIZEMARS-50_ccxt", "/markets/KXCOLONIZEMARS-50", ({ markets }) => ({
    market: (markets as unknown[])[0],
  })),
  {
    ...live("markets_subpenny_KXCOLONIZEMARS-50_ccxt", "/markets", pick("markets", "cursor")),
    query: { tickers: "KXCOLONIZEMARS-50" },
  },
  {
    ...live("trades_newest_first_2026-09-26", "/markets/trades", ({ trades }) => ({ cursor: "", trades })),
    query: { ticker: "KXBTC15M-26SEP261900-00" },
  },
  live(
    "candles_live_schema_2026-09-26",
    "/series/KXBTC15M/markets/KXBTC15M-26SEP261845-45/candlesticks",
    pick("candlesticks"),
  ),
  live(
    "candles_historical_schema_2026-07-27",
    "/historical/markets/KXBTC15M-26JUL271945-45/candlesticks",
    pick("candlesticks"),
  ),
  live("historical_cutoff_2026-09-26", "/historical/cutoff"),
  {
    ...live("events_nested_markets_trimmed_2026-09", "/events", ({ events }) => ({ cursor: "", events })),
    query: { with_nested_markets: "true" },
  },
  golden("market_single_response", `/markets/${MVE}`),
  golden("orderbook_response", `/markets/${MVE}/orderbook`),
  golden("markets_list_response", "/markets"),
  { ...golden("trades_list_response", "/markets/trades"), query: { ticker: "KXELONMARS-99" } },
  golden("series_candlesticks_response", `${MARS}/markets/KXELONMARS-99/candlesticks`),
  { ...golden("candlesticks_batch_response", "/markets/candlesticks"), query: { market_tickers: "KXELONMARS-99" } },
  golden("event_candlesticks_response", `${MARS}/events/KXELONMARS-99/candlesticks`),
  golden("event_single_response", "/events/KXELONMARS-99"),
  golden("event_metadata_response", "/events/KXELONMARS-99/metadata"),
  golden("events_list_response", "/events"),
  golden("events_multivariate_list_response", "/events/multivariate"),
  golden("series_list_response", "/series"),
  golden("series_single_response", "/series/CO2"),
  golden("series_fee_changes_response", "/series/fee_changes"),
  golden("exchange_status_response", "/exchange/status"),
  golden("exchange_schedule_response", "/exchange/schedule"),
  golden("exchange_announcements_response", "/exchange/announcements"),
  golden("milestones_list_response", "/milestones"),
  golden("incentive_programs_response", "/incentive_programs"),
  golden("structured_targets_list_response", "/structured_targets"),
  golden("multivariate_event_collections_list_response", "/multivariate_event_collections"),
  golden("tags_by_categories_response", "/search/tags_by_categories"),
  golden("filters_by_sport_response", "/search/filters_by_sport"),
];

/** Filters that a recorded first page of a list cannot honour: with one of them the world answers. */
const NARROWING = ["event_ticker", "series_ticker", "tickers", "min_created_ts", "min_close_ts", "min_settled_ts"];

/** Kalshi replies word for word: the fixtures of January 2026 (cents and dollars together) and the samples of 2026-06 to 09. */
export function kalshiFixtures(dir: string): Recording {
  const load = lazy(async () => new Map(await Promise.all(FIXTURES.map((fixture) => read(dir, fixture)))));
  return {
    name: "kalshi-fixtures",
    service: "kalshi",
    async answer({ method, path, query }) {
      const at = kalshiPath(path);
      const fixture = method === "GET" && FIXTURES.find((item) => item.path === at && holds(item, query));
      if (!fixture) return undefined;
      const body = (await load()).get(fixture);
      return query.has("cursor") ? afterLast(body) : { body };
    },
  };
}

/** Only the first page was recorded. */
function afterLast(body: unknown): RecordedReply {
  const entries = Object.entries(body as object);
  return { body: Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? [] : ""])) };
}

function holds(fixture: Fixture, query: URLSearchParams): boolean {
  const wanted = Object.entries(fixture.query ?? {});
  if (wanted.length === 0 && NARROWING.some((name) => query.has(name))) return false;
  return wanted.every(([name, value]) => query.get(name) === value);
}

async function read(dir: string, fixture: Fixture): Promise<[Fixture, unknown]> {
  const content = JSON.parse(await readFile(join(dir, fixture.file), "utf8")) as Record<string, unknown>;
  return [fixture, fixture.pick ? fixture.pick(content) : content];
}

function golden(name: string, path: string): Fixture {
  return { file: `${GOLDEN}/${name}.json`, path, pick: ({ response }) => response };
}

function live(name: string, path: string, part?: Fixture["pick"]): Fixture {
  return { file: `${LIVE}/${name}.json`, path, ...(part && { pick: part }) };
}

function pick(...names: string[]): (content: Record<string, unknown>) => unknown {
  return (content) => Object.fromEntries(names.map((name) => [name, content[name]]));
}
