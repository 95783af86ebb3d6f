import { bind, sql, type Sql } from "../../definition/sql.ts";

/** The column holds one of these wallets (0x-hex), sent as one text. */
export function isWalletOf(keys: readonly string[]): (column: Sql) => Sql {
  const text = bind("String", keys.map((key) => key.slice(2)).join(","));
  return (column) => sql`${column} IN (SELECT toFixedString(unhex(arrayJoin(splitByChar(',', ${text}))), 20))`;
}

export const WALLET_TEXT = sql`concat('0x', lower(hex(wallet)))`;
