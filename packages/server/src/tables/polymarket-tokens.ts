import { fromDefinition, sql, type Sql } from "../definition/sql.ts";
import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Value of `outcome_index` where a trade did not include it. */
export const UNKNOWN_OUTCOME = 255;

/** The market and outcome of each token; queries look single tokens up in its dictionary. */
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

/** A text of the market of an engine expression's token; null while the market is unknown. */
export const textOfToken = (field: "condition_id" | "outcome" | "slug", token: Sql): Sql =>
  sql`nullIf(dictGet('polymarket_token_info', ${fromDefinition(`'${field}'`)}, toString(${token})), '')`;

/** The index of a token's outcome in its market; UNKNOWN_OUTCOME while it is unknown. */
export const outcomeIndexOf = (token: Sql): Sql =>
  sql`dictGetOrDefault('polymarket_token_info', 'outcome_index', toString(${token}), ${fromDefinition(`toUInt8(${UNKNOWN_OUTCOME})`)})`;
