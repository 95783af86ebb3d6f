import type { Asking, OrderKey } from "../../definition/dataset.ts";
import { bind, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { boardSql } from "../wallet-window/board-sql.ts";
import { CONTEXT_COLUMNS, contextSql } from "../wallet-window/context-sql.ts";
import { walletFiguresSql, walletReturnsSql, walletSumsSql } from "../wallet-window/figures-sql.ts";
import { marketsTradedSql } from "../wallet-window/markets-traded-sql.ts";
import { ofWallets } from "../wallet-window/wallet-window.ts";
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
 * A page of wallets: the figures of their fifteen days (see walletFiguresSql) with markets_traded and the profit of other
 * windows, beside their place and score. Without `wallets` those of the pool; with them those of these that are in it or
 * did something, without a place where they are not. Who is in the pool and did nothing in these days has zeros, and null
 * ratios.
 */
export function scorePageSql({ asOf, wallets, where, order, isDeep, ...board }: Page, asking: Asking): Sql {
  const window = { days: DAYS, asOf };
  // What rows are chosen and ordered by; the rest is worked out for the page alone.
  const someSql = isDeep ? walletReturnsSql : walletSumsSql;
  const known = wallets ? someSql({ ...window, wallets }) : boardSql(window, isDeep);
  const asked = joined([sql`1`, ofWallets({ ...window, wallets })], sql` AND `);
  const places = sql`(SELECT wallet, toNullable(place) AS place, toNullable(h_score) AS h_score, low, high, reasons FROM ${rankedScoresSql({ asOf, ...board })} WHERE ${asked})`;
  const all = withFigures(known, wallets ? sql`FULL` : sql`RIGHT`, places);
  const keys = joined(
    order.map((key) => sql`${key.by} ${key.direction === "asc" ? sql`ASC` : sql`DESC`}`),
    sql`, `,
  );
  const kept = joined([sql`1`, ...where, asking.after(order)], sql` AND `);
  const page = sql`SELECT (wallet, place, h_score, low, high, reasons) AS one FROM ${all} WHERE ${kept} ORDER BY ${keys} LIMIT ${bind("UInt64", asking.rows)} OFFSET ${bind("UInt64", asking.offset)}`;
  // A scalar of a name: written out anew in each place, it would be planned anew in each.
  const chosen = sql`SELECT arrayJoin(found).1`;
  const scores = sql`(SELECT one.1 AS wallet, one.2 AS place, one.3 AS h_score, one.4 AS low, one.5 AS high, one.6 AS reasons FROM (SELECT arrayJoin(found) AS one))`;
  const figures = withFigures(walletFiguresSql({ ...window, among: chosen }), sql`RIGHT`, scores);
  return sql`(WITH (SELECT groupArray(one) FROM (${page})) AS found SELECT p.wallet AS wallet, p.* EXCEPT (wallet, trend), coalesce(p.trend, 'stable') AS trend, coalesce(m.markets_traded, 0) AS markets_traded, ${CONTEXT_COLUMNS} FROM ${figures} AS p LEFT JOIN ${marketsTradedSql(window, chosen)} AS m USING (wallet) LEFT JOIN ${contextSql(asOf, chosen)} AS c USING (wallet))`;
}

/** Places beside figures; the right side of the join is the one that is held in memory, and the smaller one. */
const withFigures = (figures: Sql, side: Sql, places: Sql): Sql =>
  sql`(SELECT assumeNotNull(coalesce(s.wallet, f.wallet)) AS wallet, f.* EXCEPT (wallet, trades, pnl_usd, invested_usd), coalesce(f.trades, 0) AS trades, coalesce(f.pnl_usd, 0) AS pnl_usd, coalesce(f.invested_usd, 0) AS invested_usd, s.* EXCEPT (wallet) FROM ${figures} AS f ${side} JOIN ${places} AS s ON f.wallet = s.wallet)`;
