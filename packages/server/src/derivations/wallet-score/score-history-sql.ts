import { isIn } from "../../definition/filter.ts";
import { given, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { CONTEXT_COLUMNS, contextByDaySql } from "../wallet-window/context-sql.ts";
import { categoryAsStored } from "./category-as-stored.ts";
import { NO_BOUNDS } from "./told-bounds.ts";

const BY_WALLET = copyOf(walletScores, "wallet_scores_by_wallet");

type Asked = Readonly<Record<"wallets" | "category" | "from" | "to", Bound | undefined>>;

/** Rows of wallet_scores of wallets, with their day as the moment `at`. */
export function scoresByDaySql({ wallets, category, from, to }: Asked): Sql {
  const own = joined([given(wallets, (list) => isIn("wallet", "wallet", list)), sql`NOT is_gone`], sql` AND `);
  const where = joined(
    [
      own,
      sql`category = ${categoryAsStored(sql`${BY_WALLET} FINAL WHERE ${own}`, category)}`,
      given(from, (first) => sql`day >= ${first}`),
      given(to, (last) => sql`day <= ${last}`),
    ],
    sql` AND `,
  );
  return sql`(SELECT *, toDateTime(day, 'UTC') AS at FROM ${BY_WALLET} FINAL WHERE ${where})`;
}

/** The same with the profit of other windows beside it, and the bounds that were told of some. */
export function scoreHistorySql(asked: Asked, told: Sql | undefined): Sql {
  const bounds = told ? sql`b.low AS low, b.high AS high, b.is_wide AS is_wide` : NO_BOUNDS;
  const drawn = told ? sql` LEFT JOIN ${told} AS b USING (wallet, day)` : sql``;
  return sql`(SELECT s.wallet AS wallet, s.day AS day, s.* EXCEPT (wallet, day), ${CONTEXT_COLUMNS}, ${bounds} FROM ${scoresByDaySql(asked)} AS s LEFT JOIN ${contextByDaySql(asked)} AS c USING (wallet, day)${drawn})`;
}
