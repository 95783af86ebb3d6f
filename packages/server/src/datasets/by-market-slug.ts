import type { NamedIds } from "../definition/dataset.ts";
import { hexOf, isIn } from "../definition/filter.ts";
import { sql } from "../definition/sql.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";

/** Resolves a market slug to the token of its first outcome, for datasets about one token. */
export const firstTokenBySlug: NamedIds = {
  param: "token_id",
  by: "market_slug",
  ids: (slug) =>
    sql`SELECT toString(token_id) AS id FROM ${polymarketTokens} WHERE slug = ${slug} ORDER BY outcome_index, token_id LIMIT 1`,
};

/** Resolves market slugs to conditions. */
export const conditionsBySlug: NamedIds = {
  param: "condition_id",
  by: "market_slug",
  ids: (slugs) =>
    sql`SELECT DISTINCT ${hexOf(sql`condition_id`)} AS id FROM ${polymarketTokens} WHERE ${isIn("slug", "text", slugs)} ORDER BY id`,
};
