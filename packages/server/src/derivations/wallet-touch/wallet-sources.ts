import type { FoldSource } from "../../definition/fold.ts";
import { sql } from "../../definition/sql.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketPositionChanges } from "../../tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { polymarketTransfers } from "../../tables/polymarket-transfers.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { holdersOfClosed } from "./holders-of-closed.ts";
import { holdersOfConditions } from "./holders-of-conditions.ts";
import { holdersOfMarks } from "./holders-of-marks.ts";

/** What a wallet's days hang on: its own rows, resolutions of what it holds, and the prices by which that is marked. */
export const walletSources: readonly FoldSource[] = [
  {
    table: polymarketFills,
    moment: "ts",
    columns: { wallet: "polymarket_fills_by_wallet" },
    // Rows of the Data API give way to those of the chain within ten minutes of them.
    lateSeconds: 600,
  },
  {
    table: polymarketPositionChanges,
    moment: "ts",
    columns: { wallet: "polymarket_position_changes_by_wallet" },
  },
  {
    table: polymarketTransfers,
    moment: "ts",
    columns: { from_wallet: "polymarket_transfers_by_sender", to_wallet: "polymarket_transfers_by_receiver" },
  },
  {
    table: polymarketResolutions,
    moment: "ts",
    columns: { condition_id: "polymarket_resolutions_by_condition" },
    find: holdersOfConditions,
  },
  {
    // What the chain has not told (yet): see resolutionsSql.
    table: polymarketMarkets,
    moment: "closed_date",
    columns: { condition_id: "polymarket_markets" },
    only: {
      row: ({ closed, closed_date }) => closed === true && closed_date !== null,
      stored: sql`closed AND isNotNull(closed_date)`,
    },
    find: holdersOfClosed,
  },
  {
    table: tokenDays,
    moment: "day",
    columns: { day: "token_days" },
    isOfClosedDays: true,
    find: holdersOfMarks,
  },
];
