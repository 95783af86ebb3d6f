/**
 * Rows of a table in the engine's RowBinary: each with all inserted columns, in the table's order and in their stored
 * types.
 */
export type PackedRows = {
  readonly kind: "packed";
  readonly bytes: Buffer;
  /** Byte offset of each row. */
  readonly starts: readonly number[];
};

export const isPacked = (rows: PackedRows | readonly unknown[]): rows is PackedRows => "kind" in rows;

/** Concatenates several packed blocks. */
export function joinPacked(parts: readonly PackedRows[]): PackedRows {
  let first = 0;
  const starts: number[] = [];
  for (const part of parts) {
    for (const start of part.starts) starts.push(first + start);
    first += part.bytes.length;
  }
  return { kind: "packed", bytes: Buffer.concat(parts.map(({ bytes }) => bytes)), starts };
}
