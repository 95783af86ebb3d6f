import type { StoredTable } from "../../api/store.ts";

type Sized = Pick<StoredTable, "rows" | "bytes" | "cold_bytes" | "uncompressed_bytes">;

/** Total size of tables. */
interface StoreSize {
  readonly rows: number;
  readonly diskBytes: number;
  /** Bytes in object storage. */
  readonly coldBytes: number;
  readonly uncompressedBytes: number;
}

export const diskBytesOf = ({ bytes, cold_bytes }: Pick<Sized, "bytes" | "cold_bytes">): number => bytes - cold_bytes;

export function sizeOf(tables: readonly Sized[]): StoreSize {
  const sum = (of: (table: Sized) => number): number => tables.reduce((total, table) => total + of(table), 0);
  return {
    rows: sum(({ rows }) => rows),
    diskBytes: sum(diskBytesOf),
    coldBytes: sum((table) => table.cold_bytes),
    uncompressedBytes: sum((table) => table.uncompressed_bytes),
  };
}
