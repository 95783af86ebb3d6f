import type { Asking, OrderKey } from "../../definition/dataset.ts";
import { storedAs } from "../../definition/filter.ts";
import { bind, joined, sql, type Sql } from "../../definition/sql.ts";
import { boardSql } from "./board-sql.ts";
import { walletReturnsSql } from "./figures-sql.ts";
import { marketsTradedSql } from "./markets-traded-sql.ts";
import type { WalletWindow } from "./wallet-window.ts";

/** By place, which no two wallets share. */
export const rankOrder: OrderKey[] = [
  { by: sql`rank`, direction: "asc", stored: storedAs.integer, value: (row) => Number(row["rank"]) },
];

type Filters = {
  readonly where: readonly Sql[];
  /** Those that need every wallet's daily series, which the ranking alone does not. */
  readonly ofSharpe: readonly Sql[];
};

/**
 * A page of the wallets of a window by profit: the columns of walletReturnsSql, `rank` among all, and markets_traded.
 * The ranking is made of plain sums; only the page's wallets are looked at closely.
 */
export function rankedPageSql(window: WalletWindow, asking: Asking, { where, ofSharpe }: Filters): Sql {
  const isDeep = ofSharpe.some((one) => one.text !== "");
  const ranked = sql`(SELECT *, row_number() OVER (ORDER BY pnl_usd DESC, wallet) AS rank FROM ${boardSql(window, isDeep)})`;
  const kept = joined([sql`1`, ...where, ...ofSharpe, asking.after(rankOrder)], sql` AND `);
  const page = sql`SELECT wallet, rank FROM ${ranked} WHERE ${kept} ORDER BY rank LIMIT ${bind("UInt64", asking.rows)} OFFSET ${bind("UInt64", asking.offset)}`;
  // A scalar of a name: written out anew in each place, it would be planned anew in each.
  const wallets = sql`SELECT arrayJoin(found).1`;
  const ranks = sql`(SELECT place.1 AS wallet, place.2 AS rank FROM (SELECT arrayJoin(found) AS place))`;
  const figures = walletReturnsSql({ ...window, among: wallets });
  return sql`(WITH (SELECT groupArray((wallet, rank)) FROM (${page})) AS found SELECT figures.wallet AS wallet, figures.* EXCEPT (wallet), ranks.rank AS rank, coalesce(markets.markets_traded, 0) AS markets_traded FROM ${figures} AS figures INNER JOIN ${ranks} AS ranks USING (wallet) LEFT JOIN ${marketsTradedSql(window, wallets)} AS markets USING (wallet))`;
}
