import type { Day, FoldReader } from "../../definition/fold.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { LEDGER_ORDER, ledgerSql } from "../ledger-sql.ts";
import type { LedgerKind, LedgerRow } from "../wallet/ledger-row.ts";
import { tabRows } from "./tab-rows.ts";
import { isWalletOf, WALLET_TEXT } from "./wallets-of.ts";

/** The ledger of these wallets from a day on, up to `to` where that is given, in order; by wallet (0x-hex). */
export async function readLedger(
  read: FoldReader,
  keys: readonly string[],
  from: Day,
  to: Day | undefined,
): Promise<ReadonlyMap<string, readonly LedgerRow[]>> {
  const since = bind("String", from);
  const until = to === undefined ? undefined : bind("String", to);
  const ts = (column: Sql): Sql =>
    until === undefined
      ? sql`${column} >= toDateTime(toDate(${since}), 'UTC')`
      : sql`${column} >= toDateTime(toDate(${since}), 'UTC') AND ${column} < toDateTime(toDate(${until}) + 1, 'UTC')`;
  const bytes = await read.bytes(
    sql`SELECT ${WALLET_TEXT}, kind, toUnixTimestamp(at), block_number, log_index, sub, lower(hex(left(tx_hash, 8))), token_id, condition_id, reinterpretAsInt64(shares), reinterpretAsInt64(usd), reinterpretAsInt64(fee_usd), toUInt8(is_maker) FROM (${ledgerSql({ wallet: isWalletOf(keys), ts })}) ORDER BY ${LEDGER_ORDER}`,
    "TSV",
  );
  const rows = new Map<string, LedgerRow[]>();
  for (const [wallet = "", ...fields] of tabRows(bytes)) {
    const own = rows.get(wallet);
    if (own === undefined) rows.set(wallet, [toLedgerRow(fields)]);
    else own.push(toLedgerRow(fields));
  }
  return rows;
}

function toLedgerRow(fields: readonly string[]): LedgerRow {
  const [kind, at, block, log, sub, tx = "", token = "", condition = "", shares = "", usd = "", fee = "", maker] =
    fields;
  return {
    kind: kind as LedgerKind,
    at: Number(at),
    block: Number(block),
    log: Number(log),
    sub: Number(sub),
    tx,
    token,
    condition,
    shares: BigInt(shares),
    usd: BigInt(usd),
    fee: fee === "0" ? 0n : BigInt(fee),
    isMaker: maker === "1",
  };
}
