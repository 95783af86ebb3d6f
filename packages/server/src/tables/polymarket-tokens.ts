import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Value of `outcome_index` where a trade did not include it. */
export const UNKNOWN_OUTCOME = 255;

/** The market and outcome of each token. Read by dictionary from every query that starts at a token. */
export const polymarketTokens = defineTable({
  name: "polymarket_tokens",
  about: "Outcome tokens and the market each belongs to.",
  columns: {
    token_id: stored.token("CTF position id."),
    condition_id: stored.condition("Condition."),
    outcome_index: stored.small("0 or 1; 255 if unknown."),
    outcome: stored.text("Label of the outcome."),
    slug: stored.text("Slug of the market."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["token_id"],
  granularity: { own: 256 },
  key: ["token_id"],
  indexes: [
    "INDEX conditions condition_id TYPE bloom_filter(0.01) GRANULARITY 1",
    "INDEX slugs slug TYPE bloom_filter(0.01) GRANULARITY 1",
  ],
  dictionary: {
    name: "polymarket_token_info",
    attributes: {
      condition_id: { type: "String", from: "concat('0x', lower(hex(condition_id)))" },
      outcome_index: { type: "UInt8", from: "outcome_index" },
      outcome: { type: "String", from: "outcome" },
      slug: { type: "String", from: "slug" },
    },
  },
  shardBy: "cityHash64(token_id)",
});
