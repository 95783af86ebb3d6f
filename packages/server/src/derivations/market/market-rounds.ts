import type { RefreshStore } from "../../definition/regular-jobs.ts";
import { slicesOf } from "../../definition/slices.ts";
import { sql } from "../../definition/sql.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import type { Market } from "./market-figures-sql.ts";

/**
 * Markets per round of statements. Their tokens are spread over the tables, so that a round of 1,500 reads most of what
 * one of 6,000 does; the URL of a statement, which carries their ids, is limited to 1 MiB.
 */
const MARKETS_A_ROUND = { least: 1500, most: 6000 };
/** Rows of holdings that a round may keep in memory at once. */
const HOLDINGS_A_ROUND = 1_000_000;

/** Splits markets into rounds of statements, in the order given. */
export async function roundsOf(store: RefreshStore, markets: readonly Market[]): Promise<Market[][]> {
  const { least, most } = MARKETS_A_ROUND;
  if (markets.length <= least) return slicesOf(markets, least);
  const counts = sql`SELECT toFloat64((SELECT count() FROM ${walletTokenDays})) / greatest(1, (SELECT count() FROM ${polymarketMarkets})) AS holdings`;
  const [{ holdings }] = (await store.rows<{ holdings: number }>(counts)) as [{ holdings: number }];
  return slicesOf(markets, Math.max(least, Math.min(most, Math.floor(HOLDINGS_A_ROUND / holdings))));
}
