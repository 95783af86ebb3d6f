import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { keysetPage } from "./keyset-page.ts";
import { lazy } from "./lazy.ts";
import { readLines } from "./read-lines.ts";
import type { Recording } from "./recording.ts";

const FIVE_MINUTE = "polymarket/btc5m/BTC-5m-markets-2026-06-08.jsonl.gz";
const CAPTURES = [
  "polymarket/captures/gamma_market.json",
  "polymarket/captures/gamma_market_closed_binary_accepting_false.json",
  "polymarket/captures/gamma_market_closed_binary_accepting_true.json",
  "polymarket/captures/gamma_market_closed_nonbinary_legacy.json",
  "polymarket/captures/gamma_market_sports_market_map_handicap.json",
  "polymarket/captures/gamma_market_sports_market_money_line.json",
  "polymarket/gamma/fleet_market_sample_closed_eth_updown.json",
];

/** A market exactly as Gamma gave it. */
interface RawMarket {
  id: string;
  slug: string;
  conditionId: string;
  closed: boolean;
  clobTokenIds?: string;
  endDate?: string;
}

/** Which request parameter picks by which field. */
const SELECTORS: Record<string, (market: RawMarket) => string[]> = {
  id: (market) => [market.id],
  slug: (market) => [market.slug],
  condition_ids: (market) => [market.conditionId],
  clob_token_ids: (market) => JSON.parse(market.clobTokenIds || "[]") as string[],
};

/** Gamma `/markets/keyset` (closed only with `closed=true`), `/markets/{id}`, `/markets/slug/{slug}`: 299 raw objects. */
export function gammaMarkets(dir: string): Recording {
  const load = lazy(() => readRecordedMarkets(dir));
  return {
    name: "gamma-markets",
    service: "gamma",
    async answer({ method, path, query }) {
      if (method !== "GET" || !path.startsWith("/markets/")) return undefined;
      const markets = await load();
      if (path === "/markets/keyset") {
        const selected = select(markets, query);
        return selected && keysetPage("markets", filter(selected, query), query);
      }
      const key = path.slice("/markets/".length).replace(/^slug\//, "");
      const found = markets.find((market) => market.id === key || market.slug === key);
      return found && { body: found };
    },
  };
}

/** The recorded market objects: 292 five-minute markets of one day and 7 captures. */
async function readRecordedMarkets(dir: string): Promise<RawMarket[]> {
  const markets: RawMarket[] = [];
  for await (const line of readLines(join(dir, FIVE_MINUTE))) {
    markets.push((JSON.parse(line) as { raw: RawMarket }).raw);
  }
  for (const file of CAPTURES) {
    markets.push(JSON.parse(await readFile(join(dir, file), "utf8")) as RawMarket);
  }
  return markets;
}

/** Undefined when the request asks for certain markets and none of them is recorded. */
function select(markets: RawMarket[], query: URLSearchParams): RawMarket[] | undefined {
  let selected = markets;
  for (const [name, valuesOf] of Object.entries(SELECTORS)) {
    const wanted = new Set(query.getAll(name));
    if (wanted.size > 0) selected = selected.filter((market) => valuesOf(market).some((value) => wanted.has(value)));
  }
  return selected.length === 0 ? undefined : selected;
}

function filter(markets: RawMarket[], query: URLSearchParams): RawMarket[] {
  const closed = query.get("closed") === "true";
  const from = Date.parse(query.get("end_date_min") ?? "");
  const to = Date.parse(query.get("end_date_max") ?? "");
  return markets
    .filter((market) => market.closed === closed)
    .filter((market) => Number.isNaN(from) || Date.parse(market.endDate ?? "") >= from)
    .filter((market) => Number.isNaN(to) || Date.parse(market.endDate ?? "") <= to);
}
