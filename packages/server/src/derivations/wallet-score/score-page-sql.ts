import type { Asking, OrderKey } from "../../definition/dataset.ts";
import { bind, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { hexOf } from "../../definition/filter.ts";
import { boardSql } from "../wallet-window/board-sql.ts";
import { CONTEXT_COLUMNS, contextSql } from "../wallet-window/context-sql.ts";
import { walletFiguresSql, walletReturnsSql, walletSumsSql } from "../wallet-window/figures-sql.ts";
import { marketsTradedSql } from "../wallet-window/markets-traded-sql.ts";
import { ofWallets } from "../wallet-window/wallet-window.ts";
import { rankedScoresSql, type ScoreBoard } from "./ranked-scores-sql.ts";
import { NO_BOUNDS } from "./told-bounds.ts";

const DAYS = 15;

export type Page = ScoreBoard & {
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
 * ratios. What was told beforehand names the page's wallets, and has the bounds of their scores.
 */
export function scorePageSql(page: Page, asking: Pick<Asking, "rows" | "offset" | "after" | "told">): Sql {
  const { asOf } = page;
  const { told } = asking;
  const window = { days: DAYS, asOf };
  const ones = told
    ? chosenSql({ ...page, where: [], among: told.only }, { ...asking, offset: 0, after: () => sql`` })
    : chosenSql(page, asking);
  // A scalar of a name: written out anew in each place, it would be planned anew in each.
  const chosen = sql`SELECT arrayJoin(found).1`;
  const scores = sql`(SELECT one.1 AS wallet, one.2 AS place, one.3 AS h_score, one.4 AS reasons FROM (SELECT arrayJoin(found) AS one))`;
  const figures = withFigures(walletFiguresSql({ ...window, among: chosen }), sql`RIGHT`, scores);
  const bounds = told ? sql`b.low AS low, b.high AS high, b.is_wide AS is_wide` : NO_BOUNDS;
  const drawn = told
    ? sql` LEFT JOIN (SELECT wallet, low, high, is_wide FROM ${told.rows}) AS b USING (wallet)`
    : sql``;
  return sql`(WITH (SELECT groupArray(one) FROM (${ones})) AS found SELECT p.wallet AS wallet, p.* EXCEPT (wallet, trend), coalesce(p.trend, 'stable') AS trend, coalesce(m.markets_traded, 0) AS markets_traded, ${CONTEXT_COLUMNS}, ${bounds} FROM ${figures} AS p LEFT JOIN ${marketsTradedSql(window, chosen)} AS m USING (wallet) LEFT JOIN ${contextSql(asOf, chosen)} AS c USING (wallet)${drawn})`;
}

/** The wallets of the page (0x-hex), as 'wallet'. */
export const pageWalletsSql = (page: Page, asking: Pick<Asking, "rows" | "offset" | "after">): Sql =>
  sql`SELECT ${hexOf(sql`one.1`)} AS wallet FROM (${chosenSql(page, asking)})`;

/** The page's rows, each as `one`: (wallet, place, h_score, reasons). */
function chosenSql(
  { asOf, wallets, among, where, order, isDeep, ...board }: Page & { readonly among?: Sql | undefined },
  asking: Pick<Asking, "rows" | "offset" | "after">,
): Sql {
  const window = { days: DAYS, asOf, ...(among ? { among } : { wallets }) };
  const isNamed = among !== undefined || wallets !== undefined;
  // What rows are chosen and ordered by; the rest is worked out for the page alone.
  const someSql = isDeep ? walletReturnsSql : walletSumsSql;
  const known = isNamed ? someSql(window) : boardSql(window, isDeep);
  const asked = joined([sql`1`, ofWallets(window)], sql` AND `);
  const places = sql`(SELECT wallet, toNullable(place) AS place, toNullable(h_score) AS h_score, reasons FROM ${rankedScoresSql({ asOf, ...board })} WHERE ${asked})`;
  const all = withFigures(known, isNamed ? sql`FULL` : sql`RIGHT`, places);
  const keys = joined(
    order.map((key) => sql`${key.by} ${key.direction === "asc" ? sql`ASC` : sql`DESC`}`),
    sql`, `,
  );
  const kept = joined([sql`1`, ...where, asking.after(order)], sql` AND `);
  return sql`SELECT (wallet, place, h_score, reasons) AS one FROM ${all} WHERE ${kept} ORDER BY ${keys} LIMIT ${bind("UInt64", asking.rows)} OFFSET ${bind("UInt64", asking.offset)}`;
}

/** Places beside figures; the right side of the join is the one that is held in memory, and the smaller one. */
const withFigures = (figures: Sql, side: Sql, places: Sql): Sql =>
  sql`(SELECT assumeNotNull(coalesce(s.wallet, f.wallet)) AS wallet, f.* EXCEPT (wallet, trades, pnl_usd, invested_usd), coalesce(f.trades, 0) AS trades, coalesce(f.pnl_usd, 0) AS pnl_usd, coalesce(f.invested_usd, 0) AS invested_usd, s.* EXCEPT (wallet) FROM ${figures} AS f ${side} JOIN ${places} AS s ON f.wallet = s.wallet)`;
