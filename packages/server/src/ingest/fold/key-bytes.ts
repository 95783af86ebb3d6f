import { fromDefinition, type Sql } from "../../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../../definition/table.ts";

/** The key of a table's rows as bytes (latin1 text), as the engine's RowBinary has it. */
export type KeyBytes = {
  /** Its columns, for a SELECT. */
  readonly columns: Sql;
  readonly length: number;
  readonly ofRow: (row: InsertRow) => string;
  /** The columns of a row with that key. */
  readonly toRow: (key: string) => InsertRow;
};

type Column = { readonly name: string; readonly length: number } & Kind;
/** How a value as rows are sent (text) is stored, and back. */
type Kind = { readonly toHex: (text: string) => string; readonly toText: (bytes: Buffer) => string };

const DAY_MS = 86_400_000;
const KINDS = {
  bytes: { toHex: (text) => text.slice(2), toText: (bytes) => `0x${bytes.toString("hex")}` },
  day: {
    toHex: (text) => reversed((Date.parse(text) / DAY_MS).toString(16).padStart(4, "0")),
    toText: (bytes) => new Date(bytes.readUInt16LE() * DAY_MS).toISOString().slice(0, 10),
  },
  integer: {
    toHex: (text) => reversed(BigInt(text).toString(16).padStart(64, "0")),
    toText: (bytes) => BigInt(`0x${reversed(bytes.toString("hex"))}`).toString(),
  },
} as const satisfies Record<string, Kind>;

/** Throws TypeError where the key's columns are not the table's first ones, or of a kind that has no fixed length. */
export function keyBytes(table: TableDefinition): KeyBytes {
  const columns = Object.keys(table.columns)
    .slice(0, table.key.length)
    .map((name) => columnOf(table, name));
  return {
    columns: fromDefinition(columns.map(({ name }) => name).join(", ")),
    length: columns.reduce((sum, { length }) => sum + length, 0),
    ofRow: (row) =>
      Buffer.from(columns.map(({ name, toHex }) => toHex(String(row[name]))).join(""), "hex").toString("latin1"),
    toRow: (key) => {
      const bytes = Buffer.from(key, "latin1");
      let place = 0;
      return Object.fromEntries(
        columns.map(({ name, length, toText }) => [name, toText(bytes.subarray(place, (place += length)))]),
      );
    },
  };
}

function columnOf({ name: table, columns, key }: TableDefinition, name: string): Column {
  const stored = columns[name]?.stored ?? "";
  const bytes = /^FixedString\((\d+)\)$/.exec(stored)?.[1];
  if (key.includes(name)) {
    if (bytes !== undefined) return { name, length: Number(bytes), ...KINDS.bytes };
    if (stored === "Date") return { name, length: 2, ...KINDS.day };
    if (stored === "UInt256") return { name, length: 32, ...KINDS.integer };
  }
  throw new TypeError(`${table}.${name} (${stored}) is no key of a fold`);
}

const reversed = (hex: string): string => Buffer.from(Buffer.from(hex, "hex").toReversed()).toString("hex");
