import { bind, given, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { isIn } from "../../definition/filter.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

type Requested = {
  /** SQL of type Date. */
  readonly asOf: Sql;
  readonly conditions: Bound | undefined;
  readonly tokens: Bound | undefined;
};

const byToken = copyOf(walletTokenDays, "wallet_token_days_by_token");
const MIN_SHARES = bind("Decimal64(6)", "0.01");

/**
 * Holders of a market's tokens at the end of a day with a hundredth of a share or more: token_id, condition_id, wallet,
 * shares, cost_usd, mark, value_usd, last_at, token_shares (of all holders of the token). Reads the copy ordered by
 * token.
 */
export function holderPositions({ asOf, conditions, tokens }: Requested): Sql {
  const requested = joined(
    [
      given(
        conditions,
        (ids) =>
          sql`token_id IN (SELECT token_id FROM ${polymarketTokens} FINAL WHERE ${isIn("condition_id", "condition", ids)})`,
      ),
      given(tokens, (ids) => isIn("token_id", "token", ids)),
    ],
    sql` AND `,
  );
  const only = requested.text === "" ? sql`0` : requested;
  const marks = sql`(SELECT token_id, argMax(mark, day) AS last_mark FROM ${tokenDays} FINAL WHERE ${only} AND day <= ${asOf} GROUP BY token_id)`;
  const held = sql`(SELECT token_id, wallet, any(condition_id) AS condition_id, argMax((shares, cost_usd, payout), day) AS last, max(last_at) AS changed_at FROM ${byToken} FINAL WHERE ${only} AND day <= ${asOf} AND NOT is_gone GROUP BY token_id, wallet HAVING last.1 >= ${MIN_SHARES})`;
  const marked = sql`SELECT token_id, condition_id, wallet, last.1 AS shares, last.2 AS cost_usd, coalesce(last.3, m.last_mark) AS mark, isNotNull(last.3) AS is_resolved, changed_at
FROM ${held} AS h LEFT JOIN ${marks} AS m USING (token_id)`;
  return sql`(SELECT *, toDecimal64(floor(toDecimal128(shares, 6) * mark, 6), 6) AS value_usd, sum(shares) OVER (PARTITION BY token_id) AS token_shares FROM (${marked} SETTINGS join_use_nulls = 1))`;
}
