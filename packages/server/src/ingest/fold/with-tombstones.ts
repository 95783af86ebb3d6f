import type { PackedRows } from "../../definition/packed-rows.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { broughtColumns } from "../../store/stage-rows.ts";
import { lengthOf } from "./key-sql.ts";

/** Appends a tombstone for each of these keys (latin1 text): rows stored together become visible together. */
export function withTombstones(table: TableDefinition, rows: PackedRows, gone: readonly string[]): PackedRows {
  if (gone.length === 0) return rows;
  const rest = Buffer.concat(
    broughtColumns(table)
      .slice(table.key.length)
      .map(([name, { stored }]) => nothingOf(name, stored)),
  );
  const tombstones = gone.map((key) => Buffer.concat([Buffer.from(key, "latin1"), rest]));
  const first = rows.bytes.length;
  const length = tombstones[0]?.length ?? 0;
  return {
    kind: "packed",
    bytes: Buffer.concat([rows.bytes, ...tombstones]),
    starts: [...rows.starts, ...gone.map((_, index) => first + index * length)],
  };
}

/** An empty column value as packed rows encode it. */
function nothingOf(name: string, stored: string): Buffer {
  if (name === "is_gone" || stored.startsWith("Nullable")) return Buffer.of(1);
  const length = lengthOf(stored) ?? LENGTHS[/^\w+/.exec(stored)?.[0] ?? ""];
  if (length === undefined) throw new TypeError(`${name} (${stored}) has no empty value`);
  return Buffer.alloc(length);
}

/** Bytes of a zero, an empty list, or false. */
const LENGTHS: Readonly<Record<string, number>> = {
  Array: 1,
  Bool: 1,
  Date: 2,
  UInt32: 4,
  DateTime: 4,
  UInt64: 8,
  Float64: 8,
  Decimal64: 8,
  UInt256: 32,
};
