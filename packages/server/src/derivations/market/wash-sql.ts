import { dayOf } from "../../definition/day-of.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { walletPairDays } from "../../tables/wallet-pair-days.ts";
import { patternsAsOf } from "../wallet-patterns-sql.ts";

/** From this score on a wallet's matches within its cluster are taken for wash volume. */
const IS_WASH = bind("Float64", 50);

/** Market → notional matched between wallets that both show the wash pattern, over the seven UTC days up to `now`. */
export function washOf(now: number): Sql {
  const today = bind("Date", dayOf(now / 1000));
  const washers = sql`(SELECT wallet FROM ${patternsAsOf(today)} WHERE wash_score >= ${IS_WASH})`;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, toString(sum(usd)) AS usd FROM ${walletPairDays} FINAL
WHERE day > subtractDays(${today}, 7) AND day <= ${today} AND kind = 'match' AND NOT is_gone AND wallet_a IN ${washers} AND wallet_b IN ${washers} GROUP BY condition_id`;
}
