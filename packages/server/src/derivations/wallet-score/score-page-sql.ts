import type { Asking, OrderKey } from "../../definition/dataset.ts";
import { bind, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { boardSql } from "../wallet-window/board-sql.ts";
import { walletFiguresSql } from "../wallet-window/figures-sql.ts";
import { marketsTradedSql } from "../wallet-window/markets-traded-sql.ts";
import { rankedScoresSql, type ScoreBoard } from "./ranked-scores-sql.ts";

const DAYS = 15;

type Page = ScoreBoard & {
  readonly wallets: Bound | undefined;
  readonly where: readonly Sql[];
  readonly order: readonly OrderKey[];
  /** Whether the order or a condition needs every wallet's daily series. */
  readonly isDeep: boolean;
};

/**
 * A page of wallets: the figures of their fifteen days (see walletFiguresSql) with markets_traded, beside their place and
 * score. Without `wallets` only those of the pool; with them all of these that did something, without a place where
 * they are not in it.
 */
export function scorePageSql({ asOf, wallets, where, order, isDeep, ...board }: Page, asking: Asking): Sql {
  const window = { days: DAYS, asOf };
  const ranked = rankedScoresSql({ asOf, ...board });
  const figures = wallets ? walletFiguresSql({ ...window, wallets }) : boardSql(window, isDeep);
  const joining = wallets ? sql`LEFT JOIN` : sql`INNER JOIN`;
  const places = sql`(SELECT wallet, toNullable(place) AS place, toNullable(h_score) AS h_score, low, high, reasons FROM ${ranked})`;
  const all = sql`(SELECT f.* EXCEPT (wallet), f.wallet AS wallet, s.* EXCEPT (wallet) FROM ${figures} AS f ${joining} ${places} AS s USING (wallet))`;
  const keys = joined(
    order.map((key) => sql`${key.by} ${key.direction === "asc" ? sql`ASC` : sql`DESC`}`),
    sql`, `,
  );
  const kept = joined([sql`1`, ...where, asking.after(order)], sql` AND `);
  const page = sql`SELECT (wallet, place, h_score, low, high, reasons) AS one FROM ${all} WHERE ${kept} ORDER BY ${keys} LIMIT ${bind("UInt64", asking.rows)} OFFSET ${bind("UInt64", asking.offset)}`;
  // As a scalar the page is worked out once, however often it is named.
  const found = sql`(SELECT groupArray(one) FROM (${page}))`;
  const chosen = sql`SELECT arrayJoin(${found}).1`;
  const scores = sql`(SELECT one.1 AS wallet, one.2 AS place, one.3 AS h_score, one.4 AS low, one.5 AS high, one.6 AS reasons FROM (SELECT arrayJoin(${found}) AS one))`;
  return sql`(SELECT f.wallet AS wallet, f.* EXCEPT (wallet), s.* EXCEPT (wallet), coalesce(m.markets_traded, 0) AS markets_traded FROM ${walletFiguresSql({ ...window, among: chosen })} AS f INNER JOIN ${scores} AS s USING (wallet) LEFT JOIN ${marketsTradedSql(window, chosen)} AS m USING (wallet))`;
}
