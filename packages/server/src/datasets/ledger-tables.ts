import { polymarketFills } from "../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketPositionChanges } from "../tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { polymarketTransfers } from "../tables/polymarket-transfers.ts";

/** What a wallet's ledger is folded from: an answer that was folded is out of date when one of these changes. */
export const LEDGER_TABLES = [
  polymarketFills,
  polymarketPositionChanges,
  polymarketTransfers,
  polymarketResolutions,
  polymarketMarkets,
  polymarketTokens,
];
