import { sql, type Sql } from "../../definition/sql.ts";
import { polymarketIncome } from "../../tables/polymarket-income.ts";
import type { LedgerQuestion } from "../ledger-sql.ts";

/**
 * Income as rows of the ledger: columns as in ledgerSql, of no token (0), kinds those of polymarket_income. The fold
 * of wallets does not read them: profit is that of trading.
 */
export function incomeRowsSql({ wallet, ts }: LedgerQuestion): Sql {
  const inTime = ts === undefined ? sql`1` : ts(sql`ts`);
  return sql`
SELECT wallet, ts AS at, toUInt32(0) AS block_number, toUInt32(0) AS log_index,
  toUInt32(row_number() OVER (PARTITION BY wallet, ts, tx_hash, kind ORDER BY amount_usd, place) - 1) AS sub, tx_hash,
  toString(kind) AS kind, toUInt256(0) AS token_id, '' AS condition_id, toDecimal64(0, 6) AS shares, amount_usd AS usd,
  toDecimal64(0, 6) AS fee_usd, false AS is_maker, true AS is_fee_known
FROM ${polymarketIncome} WHERE ${wallet(sql`wallet`)} AND ${inTime}`;
}
