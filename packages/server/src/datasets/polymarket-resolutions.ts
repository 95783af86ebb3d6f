import { hexId, int, iso, list } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { branchesOf, within } from "../definition/filter.ts";
import { condition, dateTime } from "../definition/param-kinds.ts";
import type { ServedRow } from "../definition/served-dataset.ts";
import { newestOnChainFirst } from "../definition/sorting.ts";
import { sql } from "../definition/sql.ts";
import { copyOf } from "../definition/table.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";
import { servedResolutions } from "../tables/served-resolutions.ts";
import { listOf } from "./list-of.ts";

const byCondition = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");

function winningIndex(row: ServedRow): string {
  const index = String(row.value("payouts")).split(",").indexOf("1");
  return index === -1 ? "null" : String(index);
}

export const polymarketResolutionsDataset = defineDataset({
  agentId: 1105,
  name: "polymarket-resolutions",
  title: "Polymarket resolutions",
  summary: "The payouts of resolved conditions as recorded on the chain, newest first.",
  plan: "free",
  params: {
    condition_id: condition().list().describe("Market."),
    start_time: dateTime("start").describe("First timestamp, inclusive."),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
  },
  row: {
    timestamp: iso().describe("Block time, to the second."),
    condition_id: hexId().describe("Condition."),
    winning_index: int().maybe("Index of the outcome that pays 1; null if several share the payout."),
    payouts: list().describe("Payout of a share of each outcome in USD, rounded down to six places."),
    payout_numerators: list().describe("The exact payouts: each outcome's part of their sum."),
    oracle: hexId().describe("Reporting address, lower case; the NegRiskAdapter for neg-risk markets."),
    question_id: hexId().describe("The oracle's own id of the question."),
    transaction_hash: hexId().describe("Transaction."),
    log_index: int().describe("Log index in the block."),
    block_number: int().describe("Block."),
  },
  limit: { default: 100, max: 10_000 },
  order: "timestamp descending, then transaction_hash descending, then log_index descending",
  tables: [polymarketResolutions],
  range: { from: "start_time", to: "end_time", goesBack: "always" },
  query: (p) => {
    const branches = p.condition_id && branchesOf("condition_id", "condition", p.condition_id);
    return {
      select: {
        timestamp: sql`ts`,
        winning_index: sql`nullIf(toInt16(indexOf(payouts, toDecimal64(1, 6))) - 1, -1)`,
        payouts: sql`arrayMap(payout -> toString(payout), payouts)`,
        payout_numerators: sql`arrayMap(part -> toString(part), payout_numerators)`,
        transaction_hash: sql`tx_hash`,
      },
      from: sql`${branches ? byCondition : polymarketResolutions}`,
      where: within(sql`ts`, p.start_time, p.end_time),
      order: newestOnChainFirst,
      storedBy: (snapshot) => sql`ingested_at <= fromUnixTimestamp64Micro(${snapshot})`,
      ...(branches ? { branches } : {}),
    };
  },
  served: {
    table: servedResolutions,
    order: newestOnChainFirst,
    fields: {
      timestamp: { column: "ts" },
      winning_index: { json: winningIndex },
      transaction_hash: { column: "tx_hash" },
    },
    search: (p) => ({
      by: p.condition_id && { column: "condition_id", values: listOf(p.condition_id) },
      from: p.start_time,
      to: p.end_time,
      tests: [],
    }),
  },
  related: [574, 1005, 1104],
  examples: [
    { title: "The newest resolutions", params: {} },
    {
      title: "One market",
      params: { condition_id: "<resolved_condition>" },
    },
  ],
});
