import { type Batch, definePull, type PullOptions } from "../../definition/connector.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { tokenWire } from "./exact/wires.ts";
import { marketPageWire } from "./gamma/gamma-market-wire.ts";
import { marketRows, replayMarkets } from "./gamma/market-rows.ts";
import { gammaHost } from "./hosts.ts";

/** Fifty ids of 78 digits stay within a proxy's URL limit of 8 KiB; a hundred do not. */
const IDS_A_CALL = 50;
const CALLS_PER_CYCLE = 10;

/**
 * Looks up the markets of tokens that were traded before the catalogue had them. Tokens unknown to Gamma stay missing,
 * so cycles rotate through the list instead of requesting its head forever.
 */
export const polymarketMissingMarketsStream = definePull({
  name: "polymarket-missing-markets",
  title: "Markets of Polymarket tokens seen in trades first",
  venue: "polymarket",
  host: gammaHost,
  tables: [polymarketMarkets, polymarketTokens],
  everySeconds: 5,
  canBackfill: false,
  pull,
  replay: replayMarkets,
});

async function* pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const missing = (await options.known("tokens_without_market")).filter((token) => tokenWire.safeParse(token).success);
  const offset = Number(options.cursor?.["offset"] ?? 0);
  const start = offset < missing.length ? offset : 0;
  const cycle = missing.slice(start, start + IDS_A_CALL * CALLS_PER_CYCLE);
  let at = start;
  for (let index = 0; index < cycle.length; index += IDS_A_CALL) {
    const requested = cycle.slice(index, index + IDS_A_CALL);
    at += requested.length;
    yield { ...(await lookUp(options, requested)), cursor: { offset: at } };
  }
  yield { rows: [], cursor: { offset: at < missing.length ? at : 0 }, isCaughtUp: true };
}

async function lookUp(options: PullOptions, tokens: readonly string[]): Promise<Pick<Batch, "rows" | "notices">> {
  const open = await ask(options, tokens, false);
  const found = new Set(open.flatMap((market) => market.clobTokenIds ?? []));
  const rest = tokens.filter((token) => !found.has(token));
  const closed = rest.length > 0 ? await ask(options, rest, true) : [];
  return marketRows([...open, ...closed], new Date(options.now()).toISOString());
}

async function ask({ feed, now }: PullOptions, tokens: readonly string[], closed: boolean) {
  const query: (readonly [string, string])[] = tokens.map((token) => ["clob_token_ids", token]);
  query.push(["closed", String(closed)], ["limit", "100"], ["include_tag", "true"]);
  const ifChanged = { from: now(), to: now(), instruments: tokens };
  const page = await feed.get({ path: "/markets/keyset", query, route: "markets", ifChanged }, marketPageWire);
  return page?.markets ?? [];
}
