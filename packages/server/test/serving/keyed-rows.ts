import type { InsertRow, TableDefinition } from "../../src/definition/table.ts";
import type { Draw } from "./random-fills.ts";

const FIRST_DAY = Date.UTC(2026, 3, 1) / 1000;
const DAY = 86_400;
const DAYS = 20;
const WALLETS = ["00", "01", "7f", "80", "ff"].map((byte) => `0x${byte.repeat(20)}`);
const HASHES = ["00", "05", "80", "fe", "ff"].map((byte) => `0x${byte.repeat(32)}`);
const INTEGERS = ["0", "1", "255", "256", String(2n ** 63n), String(2n ** 200n), String(2n ** 256n - 1n)];
const BIGS = ["0", "9007199254740993", "18446744073709551615"];
const TEXTS = ["", "Sports", "Sports / Basketball", "Sports / Basketball / NBA", "resolved", "\u{1f600}"];
const AMOUNTS = ["0", "0.000001", "-0.5", "12.345678", "9007199254.740993", "-999999999999.999999"];
const REALS = [0, 1, 0.1, 1 / 3, 61.5, 1e-7, 5e-324, 1e21, 1.7976931348623157e308, -2.5, 99.99999999999999];
const WORDS = /'([^']*)' =/g;

/** A random value of a column by its stored type, out of so few that rows repeat. */
function valueOf(type: string, { below }: Draw): unknown {
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const nullable = /^Nullable\((.*)\)$/.exec(type)?.[1];
  if (nullable !== undefined) return below(3) === 0 ? null : valueOf(nullable, { below } as Draw);
  const timestamp = FIRST_DAY + below(DAYS) * DAY;
  if (type === "Date") return new Date(timestamp * 1000).toISOString().slice(0, 10);
  if (type.startsWith("DateTime64")) return new Date(timestamp * 1000).toISOString();
  if (type.startsWith("DateTime")) return timestamp + below(3);
  if (type.startsWith("Enum8")) return pick([...type.matchAll(WORDS)].map(([, word]) => word));
  if (type.startsWith("Decimal")) return pick([...AMOUNTS, (below(1e9) / 1e6).toFixed(6)]);
  if (type.startsWith("Array")) return [];
  if (type === "FixedString(20)") return pick(WALLETS);
  if (type === "FixedString(32)") return pick(HASHES);
  if (type === "UInt256") return pick(INTEGERS);
  if (type === "UInt64") return pick(BIGS);
  if (type === "UInt32") return below(3);
  if (type === "Float64") return pick([...REALS, below(1e9) / 1e7]);
  if (type === "Bool") return below(4) === 0;
  return pick(TEXTS);
}

/** The possible values of a key column. */
export const keysOf = ({ columns }: TableDefinition, column: string): readonly string[] =>
  ({ "FixedString(20)": WALLETS, "FixedString(32)": HASHES })[columns[column]?.stored ?? ""] ?? INTEGERS;

/** Random rows of a table with distinct keys. */
export function randomRows(table: TableDefinition, draw: Draw, most: number): readonly InsertRow[] {
  const sent = Object.entries(table.columns).filter(
    ([name, { default: filled, materialized }]) =>
      name !== "version" && filled === undefined && materialized === undefined,
  );
  const rows = Array.from({ length: 1 + draw.below(most) }, () =>
    Object.fromEntries(sent.map(([name, { stored }]) => [name, valueOf(stored, draw)])),
  );
  return [...new Map(rows.map((row) => [table.key.map((column) => String(row[column])).join(" "), row])).values()];
}
