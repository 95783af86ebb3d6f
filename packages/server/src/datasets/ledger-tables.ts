import { polymarketFills } from "../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketPositionChanges } from "../tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { polymarketTransfers } from "../tables/polymarket-transfers.ts";

/** Sources of a wallet's ledger: an answer folded from it is stale when one of these changes. */
export const LEDGER_TABLES = [
  polymarketFills,
  polymarketPositionChanges,
  polymarketTransfers,
  polymarketResolutions,
  polymarketMarkets,
  polymarketTokens,
];
