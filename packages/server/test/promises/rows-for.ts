import { createHash } from "node:crypto";
import type { InsertRow, StoredColumn, TableDefinition } from "../../src/definition/table.ts";

const FILLED_BY_STORE = new Set(["ingested_at", "version"]);
const START = Date.UTC(2026, 5, 1);
const JUMP_BEFORE_MS = 36 * 3_600_000;

const DAY_MS = 86_400_000;
const DAYS = 3;

/** The wallet, condition and ticker of every tenth row, so that filters find rows. */
export const KNOWN = {
  wallet: `0x${"a1".repeat(20)}`,
  condition: `0x${"c0".repeat(32)}`,
  ticker: "KXTEST-26JUN01-0",
  token: "71321045679252212594626385532706912750332728571942532289631379312455583992563",
} as const;

/**
 * Returns rows that fit any table, by its column types, so that a new table is filled automatically. The same call
 * returns the same rows, except for day columns: they hold the last days up to now, which derived datasets answer by
 * default.
 */
export function rowsFor(table: TableDefinition, count: number): InsertRow[] {
  const columns = Object.entries(table.columns).filter(
    ([name, column]) => column.materialized === undefined && !FILLED_BY_STORE.has(name),
  );
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(columns.map(([name, column]) => [name, valueOf(name, column, index)])),
  );
}

function valueOf(name: string, { stored }: StoredColumn, index: number): unknown {
  // A jump is reported if the price changed and its market is not over; all rows of an index share one timestamp.
  if (name === "change_pct") return "12.5";
  if (name === "previous_close") return (amountOf(index) / 1.125).toFixed(6);
  // A pool is ranked once all of its wallets are present.
  if (name === "pool") return 1;
  if (name === "bucket") return (START - JUMP_BEFORE_MS) / 1000 + index * 61;
  const nullable = /^(?:LowCardinality\()?Nullable\((.*?)\)+$/.exec(stored);
  if (nullable && index % 3 === 0) return null;
  const type = stored.replace(/^LowCardinality\(/, "").replace(/^Nullable\(/, "");
  const bytes = /^FixedString\((\d+)\)/.exec(type)?.[1];
  if (bytes !== undefined) return hexOf(name, Number(bytes), index);
  const choices = [...type.matchAll(/'([^']*)' = \d+/g)].map((match) => match[1]);
  if (name === "venue") return choices[Math.floor(index / 10) % choices.length];
  if (type.startsWith("Enum8")) return choices[index % choices.length];
  if (type.startsWith("Array(Tuple")) return [0.41, 0.42, 0.43].map((price) => [String(price), `${index + 1}.5`]);
  const within = /^Array\((U?Int\d+|Decimal.*)\)$/.exec(type)?.[1];
  if (within !== undefined)
    return [1, 2].map((step) => valueOf(name, { stored: within } as StoredColumn, index + step));
  if (type.startsWith("Array")) return [`tag ${index % 5}`, "Sports"];
  if (type.startsWith("UInt256")) return index % 10 === 0 ? KNOWN.token : String(10n ** 60n + BigInt(index));
  if (type.startsWith("Decimal")) return amountOf(index).toFixed(6);
  if (type.startsWith("DateTime64")) return new Date(START + index * 61_000 + 123).toISOString();
  if (type.startsWith("DateTime")) return new Date(START + index * 61_000).toISOString().slice(0, 19).replace("T", " ");
  if (type === "Date") return new Date(Date.now() - (index % DAYS) * DAY_MS).toISOString().slice(0, 10);
  if (name === "is_gone") return false;
  if (type.startsWith("Bool")) return index % 2 === 0;
  if (type.startsWith("Float")) return ((index * 37) % 99) / 100;
  if (name === "period_minutes") return 1;
  if (/^U?Int/.test(type)) return index;
  return textOf(name, index);
}

const amountOf = (index: number): number => ((index * 37) % 99) / 100 + 0.005;

function hexOf(name: string, bytes: number, index: number): string {
  if (index % 10 === 0 && name === "wallet") return KNOWN.wallet;
  if (index % 10 === 0 && name === "condition_id") return KNOWN.condition;
  return `0x${createHash("sha512")
    .update(`${name} ${index}`)
    .digest("hex")
    .slice(0, bytes * 2)}`;
}

function textOf(name: string, index: number): string {
  // Scores over all categories have no category.
  if (name === "category" && index % 10 === 0) return "";
  if (name.endsWith("instrument") && index % 10 === 0) return index % 20 === 0 ? KNOWN.token : KNOWN.ticker;
  if (name.includes("ticker")) return index % 10 === 0 ? KNOWN.ticker : `KXTEST-26JUN01-${index}`;
  if (name.includes("slug")) return `will-it-rain-${index}`;
  return `${name} ${index} é "quoted" , 100%`;
}
