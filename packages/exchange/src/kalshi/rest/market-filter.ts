import type { KalshiMarket, KalshiStatus } from "../../world/kalshi-contract.ts";
import { KalshiError } from "../kalshi-error.ts";
import type { Query } from "./query.ts";

type Test = (market: KalshiMarket) => boolean;

/** The filter's words are not the objects': `settled` never stands on an object. */
const STATUSES: Record<string, readonly KalshiStatus[]> = {
  unopened: ["initialized"],
  open: ["active"],
  paused: ["inactive"],
  closed: ["closed", "determined", "disputed", "amended"],
  settled: ["finalized"],
};

/** Timestamp families, what each may stand with, and the moment each reads. */
const FAMILIES = [
  { name: "created", bounds: ["min_created_ts", "max_created_ts"], status: ["unopened", "open"], of: created },
  { name: "close", bounds: ["min_close_ts", "max_close_ts"], status: ["closed"], of: closes },
  { name: "settled", bounds: ["min_settled_ts", "max_settled_ts"], status: ["settled"], of: settled },
  { name: "updated", bounds: ["min_updated_ts"], status: [], of: updated },
] as const;

/** Statuses of objects that a filter value stands for. */
export function statusesOf(filter: string): readonly KalshiStatus[] {
  return STATUSES[filter] ?? [];
}

/** Test for the filters of GET /markets; throws 400 where the rules forbid a combination. */
export function marketFilter(query: Query): Test {
  const status = query.choice("status", ["unopened", "open", "paused", "closed", "settled"]);
  const mve = query.choice("mve_filter", ["only", "exclude"]);
  const tests: Test[] = [timeTest(query, status, mve)];
  if (status !== undefined) tests.push((market) => statusesOf(status).includes(market.status));
  if (mve !== undefined) tests.push((market) => market.ticker.startsWith("KXMVE") === (mve === "only"));
  const event = query.text("event_ticker");
  if (event?.includes(",")) throw refused("event_ticker takes a single event");
  if (event !== undefined) tests.push((market) => market.event.event_ticker === event);
  const series = query.text("series_ticker");
  if (series !== undefined) tests.push((market) => market.event.series.ticker === series);
  const tickers = new Set(query.list("tickers"));
  if (tickers.size > 0) tests.push((market) => tickers.has(market.ticker));
  return (market) => tests.every((test) => test(market));
}

function timeTest(query: Query, status: string | undefined, mve: string | undefined): Test {
  const used = FAMILIES.filter((family) => family.bounds.some((bound) => query.integer(bound) !== undefined));
  const family = used[0];
  if (!family) return () => true;
  if (used.length > 1) throw refused("timestamp filters are mutually exclusive");
  if (status !== undefined && !(family.status as readonly string[]).includes(status)) {
    throw refused(`status ${status} is incompatible with ${family.name} timestamp filters`);
  }
  if (family.name === "updated") refuseWithUpdated(query, mve);
  const [least, most] = family.bounds.map((bound) => query.integer(bound));
  return (market) => {
    const ms = family.of(market);
    if (ms === null) return false;
    return (least === undefined || ms >= least * 1000) && (most === undefined || ms <= most * 1000);
  };
}

function refuseWithUpdated(query: Query, mve: string | undefined): void {
  const others = ["event_ticker", "tickers"].filter((name) => query.text(name) !== undefined);
  if (others.length > 0) throw refused(`min_updated_ts is incompatible with ${others.join(", ")}`);
  if (mve === "only") throw refused("min_updated_ts is incompatible with mve_filter=only");
  if (query.text("series_ticker") !== undefined && mve !== "exclude") {
    throw refused("min_updated_ts with series_ticker requires mve_filter=exclude");
  }
}

function refused(details: string): KalshiError {
  return new KalshiError(400, "invalid_parameters", "invalid parameters", details);
}

function created(market: KalshiMarket): number {
  return market.created_ms;
}

function closes(market: KalshiMarket): number {
  return market.close_ms;
}

function settled(market: KalshiMarket): number | null {
  return market.settled_ms;
}

function updated(market: KalshiMarket): number {
  return market.updated_ms;
}
