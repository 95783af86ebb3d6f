import { bind, sql, type Sql } from "../../definition/sql.ts";

const MOST = 256;

/** Conditions on `wallet` that part all wallets into so many ranges of addresses, in their order. */
export function partsOfWallets(wanted: number): Sql[] {
  const count = Math.min(MOST, Math.max(1, wanted));
  const bound = (index: number): Sql => {
    const byte = Math.floor((index * MOST) / count);
    return sql`toFixedString(unhex(${bind("String", byte.toString(16).padStart(2, "0") + "00".repeat(19))}), 20)`;
  };
  return Array.from({ length: count }, (_, index) =>
    index === count - 1
      ? sql`wallet >= ${bound(index)}`
      : sql`wallet >= ${bound(index)} AND wallet < ${bound(index + 1)}`,
  );
}
