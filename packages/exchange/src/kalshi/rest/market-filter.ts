import type { KalshiMarket, KalshiStatus } from "../../world/kalshi-contract.ts";
import { invalidParameters } from "../kalshi-error.ts";
import type { Query } from "./query.ts";

type Test = (market: KalshiMarket) => boolean;

/** Filter values differ from the statuses on market objects: `settled` never appears on an object. */
const STATUSES: Record<string, readonly KalshiStatus[]> = {
  unopened: ["initialized"],
  open: ["active"],
  paused: ["inactive"],
  closed: ["closed", "determined", "disputed", "amended"],
  settled: ["finalized"],
};

/** Timestamp filters: their bounds, the statuses each may be combined with, and the timestamp each reads. */
const FAMILIES: readonly {
  bounds: readonly string[];
  status: readonly string[];
  of: (market: KalshiMarket) => number | null;
}[] = [
  { bounds: ["min_created_ts", "max_created_ts"], status: ["unopened", "open"], of: (market) => market.created_ms },
  { bounds: ["min_close_ts", "max_close_ts"], status: ["closed"], of: (market) => market.close_ms },
  { bounds: ["min_settled_ts", "max_settled_ts"], status: ["settled"], of: (market) => market.settled_ms },
  { bounds: ["min_updated_ts"], status: [], of: (market) => market.updated_ms },
];

/** Parameters of the two lists of markets. The world has no combos, so `mve_filter` has no effect. */
export const LIST_PARAMETERS = ["limit", "cursor", "tickers", "mve_filter"];
export const LIVE_PARAMETERS = [...LIST_PARAMETERS, "status", ...FAMILIES.flatMap(({ bounds }) => bounds)];

/** Predicate for the filters of GET /markets; throws 400 for a forbidden combination. */
export function marketFilter(query: Query): Test {
  const status = query.choice("status", ["unopened", "open", "paused", "closed", "settled"]);
  const tests: Test[] = [timeTest(query, status)];
  if (status !== undefined) tests.push((market) => STATUSES[status]?.includes(market.status) === true);
  const tickers = new Set(query.list("tickers"));
  if (tickers.size > 0) tests.push((market) => tickers.has(market.ticker));
  return (market) => tests.every((test) => test(market));
}

function timeTest(query: Query, status: string | undefined): Test {
  const used = FAMILIES.filter((family) => family.bounds.some((bound) => query.integer(bound) !== undefined));
  const family = used[0];
  if (!family) return () => true;
  if (used.length > 1) throw invalidParameters("timestamp filters are mutually exclusive");
  if (status !== undefined && !family.status.includes(status)) {
    throw invalidParameters(`status ${status} is incompatible with ${family.bounds.join(", ")}`);
  }
  if (family.bounds.includes("min_updated_ts") && query.text("tickers") !== undefined)
    throw invalidParameters("min_updated_ts is incompatible with tickers");
  const [least, most] = family.bounds.map((bound) => query.integer(bound));
  return (market) => {
    const ms = family.of(market);
    if (ms === null) return false;
    return (least === undefined || ms >= least * 1000) && (most === undefined || ms <= most * 1000);
  };
}
