import { isOneOf } from "../../definition/filter.ts";
import { sql, type Sql } from "../../definition/sql.ts";

/** The column holds one of these wallets (0x-hex), sent as one text. */
export function isWalletOf(keys: readonly string[]): (column: Sql) => Sql {
  return (column) => isOneOf(column, keys, 20);
}

export const WALLET_TEXT = sql`concat('0x', lower(hex(wallet)))`;
