/**
 * Rows of a table in the engine's RowBinary: of each all columns that a row brings, in the table's order and in the
 * types they are stored in.
 */
export type PackedRows = {
  readonly kind: "packed";
  readonly bytes: Buffer;
  /** Where each row begins. */
  readonly starts: readonly number[];
};

export const isPacked = (rows: PackedRows | readonly unknown[]): rows is PackedRows => "kind" in rows;

/** The rows of several, one after the other. */
export function joinPacked(parts: readonly PackedRows[]): PackedRows {
  let first = 0;
  const starts: number[] = [];
  for (const part of parts) {
    for (const start of part.starts) starts.push(first + start);
    first += part.bytes.length;
  }
  return { kind: "packed", bytes: Buffer.concat(parts.map(({ bytes }) => bytes)), starts };
}
