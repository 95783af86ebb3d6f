import { defineTable } from "../definition/table.ts";
import { polymarketFills } from "./polymarket-fills.ts";

/**
 * Fills as RTDS tells them, seconds before their block is read: columns of polymarket_fills, no rows of it. Nothing is
 * worked out from them. Answers show one until its transaction is stored, and not for long (see Question.early).
 * One row a fill, whenever it is repeated within the day it is kept.
 */
export const polymarketEarlyFills = defineTable({
  name: "polymarket_early_fills",
  about: "Polymarket's fills as told before their block is read; shown until they are stored, kept for a day.",
  columns: polymarketFills.columns,
  engine: "MergeTree",
  orderBy: ["tx_hash", "order_hash"],
  partitionBy: "toStartOfHour(ingested_at)",
  key: ["tx_hash", "order_hash"],
  keepHours: 24,
  shardBy: "cityHash64(tx_hash)",
});
