import { isOneOf } from "../../definition/filter.ts";
import type { Sql } from "../../definition/sql.ts";

/** The column holds one of these wallets (0x-hex), sent as one text. */
export function isWalletOf(keys: readonly string[]): (column: Sql) => Sql {
  return (column) => isOneOf(column, keys, 20);
}
