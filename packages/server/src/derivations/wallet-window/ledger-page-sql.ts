import { isIn, within } from "../../definition/filter.ts";
import { joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { incomeRowsSql } from "../income/income-rows-sql.ts";
import { ledgerSql } from "../ledger-sql.ts";
import { resolutionsSql } from "../resolutions-sql.ts";

type Asked = { readonly wallets: Bound; readonly from: Bound | undefined; readonly to: Bound | undefined };

/**
 * The ledger's rows of some wallets, what they got beside their trades (income, of no token), and one of kind
 * `resolution` for each token they held when its condition was resolved: no shares and no money move, `payout` says
 * what a share is worth since. Columns as in ledgerSql, `payout`.
 */
export function ledgerPageSql({ wallets, from, to }: Asked): Sql {
  const ofWallets = (column: Sql): Sql => isIn(column.text, "wallet", wallets);
  const inTime = (column: Sql): Sql => joined([sql`1`, ...within(column, from, to)], sql` AND `);
  const asked = { wallet: ofWallets, ts: inTime };
  const ledger = sql`${ledgerSql(asked)} UNION ALL ${incomeRowsSql(asked)}`;
  const held = sql`(SELECT wallet, day, token_id, condition_id, payout, first_at FROM ${walletTokenDays} FINAL WHERE ${ofWallets(sql`wallet`)} AND payout IS NOT NULL AND NOT is_gone)`;
  const resolved = sql`(SELECT condition_id, ts, tx_hash, log_index, block_number FROM ${resolutionsSql({ chosen: sql`condition_id IN (SELECT condition_id FROM ${held})` })} WHERE ${inTime(sql`ts`)})`;
  const resolutions = sql`SELECT h.wallet AS wallet, r.ts AS at, r.block_number AS block_number, r.log_index AS log_index, toUInt32(0) AS sub, r.tx_hash AS tx_hash, 'resolution' AS kind, h.token_id AS token_id, concat('0x', lower(hex(h.condition_id))) AS condition_id, toDecimal64(0, 6) AS shares, toDecimal64(0, 6) AS usd, toDecimal64(0, 6) AS fee_usd, false AS is_maker, true AS is_fee_known, h.payout AS payout FROM ${held} AS h INNER JOIN ${resolved} AS r ON r.condition_id = h.condition_id AND toDate(r.ts) = h.day AND h.first_at <= r.ts`;
  return sql`(SELECT *, CAST(NULL, 'Nullable(Decimal64(6))') AS payout FROM (${ledger}) UNION ALL ${resolutions})`;
}
