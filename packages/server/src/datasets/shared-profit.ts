import { polymarketFills } from "../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketPositionChanges } from "../tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { polymarketTransfers } from "../tables/polymarket-transfers.ts";
import { dec, type Column } from "../definition/column.ts";
import { fromDefinition, type Sql } from "../definition/sql.ts";
import { CONTEXT_DAYS, contextColumn } from "../derivations/wallet-window/wallet-window.ts";

/** Sources of a wallet's ledger: an answer folded from it is stale when one of these changes. */
export const LEDGER_TABLES = [
  polymarketFills,
  polymarketPositionChanges,
  polymarketTransfers,
  polymarketResolutions,
  polymarketMarkets,
  polymarketTokens,
];

/** The column that gives a profit before fees. */
export const fees = (of: string): Column =>
  dec(6, "USD").describe(
    `Fees of the fills of ${of}, deducted from the profit: add them to get gross profit. 0 where unknown: taker fills reported only by the Data API.`,
  );

const profit = (days: number, end: string): Column =>
  dec(2, "USD").describe(
    `Realised profit less fees, in all categories, over ${days} UTC ${days === 1 ? "day" : "days"} up to ${end}, that day included; not part of the score.`,
  );

/** Profit over windows other than the score's fifteen days, by field; `end` names the field with their last day. */
export const contextFields = (end: string): Readonly<Record<string, Column>> =>
  Object.fromEntries(CONTEXT_DAYS.map((days) => [`pnl_${days}d`, profit(days, end)]));

export const contextSelect: Readonly<Record<string, Sql>> = Object.fromEntries(
  CONTEXT_DAYS.map((days) => [`pnl_${days}d`, fromDefinition(contextColumn(days))]),
);
