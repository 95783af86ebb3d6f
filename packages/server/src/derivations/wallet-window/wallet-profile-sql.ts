import { copyOf } from "../../definition/table.ts";
import { joined, sql, type Sql } from "../../definition/sql.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { incomeSumsSql } from "../income/income-sums-sql.ts";
import { inNewestPool } from "../wallet-score/newest-pool-sql.ts";
import { withCurveSql } from "./curve-sql.ts";
import { walletEntriesSql } from "./entries-sql.ts";
import { walletFiguresSql } from "./figures-sql.ts";
import { walletMarketsSql } from "./markets-sql.ts";
import { unrealizedSql } from "./positions-sql.ts";
import { ofWallets, type WalletWindow } from "./wallet-window.ts";

/** The newest patterns of the thirty days up to a day. */
const patterns = (window: WalletWindow): Sql =>
  sql`(SELECT wallet, toNullable(argMaxIf(score, day, pattern = 'sybil')) AS sybil_score, toNullable(argMaxIf(cluster_size, day, pattern = 'sybil')) AS sybil_size, toNullable(argMaxIf(share, day, pattern = 'wash')) AS wash_share FROM ${copyOf(walletPatterns, "wallet_patterns_by_wallet")} FINAL WHERE ${joined([ofWallets(window), sql`day <= ${window.asOf}`, sql`day > ${window.asOf} - 30`, sql`NOT is_gone`], sql` AND `)} GROUP BY wallet)`;

/** The score as 584 ranks by it. */
const scores = (window: WalletWindow): Sql =>
  sql`(SELECT wallet, score AS wallet_score FROM ${walletScores} FINAL WHERE ${joined([inNewestPool(window.asOf, undefined), ofWallets(window)], sql` AND `)})`;

/** All that is worked out about some wallets over a window, one row a wallet known by its last day. */
export function walletProfileSql(window: WalletWindow): Sql {
  const { asOf, wallets } = window;
  const figures = withCurveSql(walletFiguresSql(window, "known"), asOf);
  return sql`(SELECT f.wallet AS wallet, f.* EXCEPT (wallet), m.* EXCEPT (wallet), e.* EXCEPT (wallet), coalesce(u.unrealized_usd, 0) AS unrealized_usd, coalesce(p.sybil_score, 0) AS sybil_score, coalesce(p.sybil_size, 0) AS sybil_size, coalesce(p.wash_share, 0) AS wash_share, s.wallet_score AS wallet_score, i.income_usd AS income_usd, i.income_checked_at AS income_checked_at FROM ${figures} AS f LEFT JOIN ${walletMarketsSql(window)} AS m USING (wallet) LEFT JOIN ${walletEntriesSql(window)} AS e USING (wallet) LEFT JOIN ${unrealizedSql({ asOf, wallets })} AS u USING (wallet) LEFT JOIN ${patterns(window)} AS p USING (wallet) LEFT JOIN ${scores(window)} AS s USING (wallet) LEFT JOIN ${incomeSumsSql(window)} AS i USING (wallet))`;
}
