import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import type { Store } from "../store.ts";
import { asCopied, type MovedTable } from "./moved-table.ts";
import { UNLIMITED } from "./storage.ts";

/** Order-independent checksum of rows: their number, and the sum and exclusive or of a hash of each (decimal text). */
export type Checksum = { readonly rows: string; readonly sum: string; readonly xor: string };

const NO_ROWS: Checksum = { rows: "0", sum: "0", xor: "0" };

export const isSame = (one: Checksum, other: Checksum): boolean =>
  one.rows === other.rows && one.sum === other.sum && one.xor === other.xor;

const WRAP = 1n << 64n;

/** Returns the checksum of rows in several places together. */
export function added(sums: readonly Checksum[]): Checksum {
  const total = sums.reduce(
    (so, { rows, sum, xor }) => ({
      rows: so.rows + BigInt(rows),
      sum: (so.sum + BigInt(sum)) % WRAP,
      xor: so.xor ^ BigInt(xor),
    }),
    { rows: 0n, sum: 0n, xor: 0n },
  );
  return { rows: String(total.rows), sum: String(total.sum), xor: String(total.xor) };
}

/**
 * Returns the checksum of the rows of a table, or of a table with the same columns (`from`). Every column counts,
 * including the time of storing and the version.
 */
export async function readChecksum(
  store: Pick<Store, "rows">,
  table: MovedTable,
  { from = table.name, where = sql`1` }: { readonly from?: string; readonly where?: Sql } = {},
): Promise<Checksum> {
  const hash = fromDefinition(`cityHash64(${table.columns.map(toHashed).join(", ")})`);
  // No column has this name: an alias would otherwise replace a column in the hash.
  const [found] = await store.rows<Checksum>(
    sql`SELECT toString(count()) AS rows, toString(sum(moved_hash)) AS sum, toString(groupBitXor(moved_hash)) AS xor FROM (SELECT ${hash} AS moved_hash FROM ${rowsOf(table, from)} WHERE ${where})`,
    UNLIMITED,
  );
  return found ?? NO_ROWS;
}

/** Whether an additional sort order has the rows of its table, whose checksum is `whole`. */
export async function isCopied(
  store: Pick<Store, "rows">,
  table: MovedTable,
  copy: string,
  whole: Checksum,
): Promise<boolean> {
  const copied = asCopied(table, copy);
  const own = copied === table ? whole : await readChecksum(store, copied);
  return isSame(await readChecksum(store, copied, { from: copy }), own);
}

/** The current rows of a table as a reader sees them, for a FROM. */
export const rowsOf = ({ name, isVersioned }: MovedTable, from = name): Sql =>
  fromDefinition(isVersioned ? `${from} FINAL` : from);

/**
 * Normalises a value so that it hashes the same wherever it is stored: a null hashes as whatever bytes lie beneath it,
 * and true may be any byte but zero.
 */
function toHashed({ name, stored }: MovedTable["columns"][number]): string {
  if (stored === "Bool") return `if(${name}, 1, 0)`;
  return stored.includes("Nullable") ? `ifNull(toString(${name}), ''), isNull(${name})` : name;
}
