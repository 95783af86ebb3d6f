import type { Rebuild, Slice } from "../../definition/derivation.ts";
import type { Bound, Sql } from "../../definition/sql.ts";
import type { InsertRow } from "../../definition/table.ts";

/** Which rows are made: those of a derivation by days, or by buckets. */
export type Asked =
  | { readonly kind: "days"; readonly name: string; readonly days: Bound; readonly slice: Slice }
  | { readonly kind: "buckets"; readonly name: string; readonly rebuild: Rebuild };

/** Rows as they are posted: bytes of packed ones are moved. */
export type PostedRows =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly starts: readonly number[] }
  | { readonly plain: readonly InsertRow[] };

/** What the thread is asked for, by the number of a run. */
export type ThreadCalls = {
  readonly begin: (run: number, asked: Asked) => void;
  /** The next rows; undefined where there are no more. */
  readonly next: (run: number) => Promise<PostedRows | undefined>;
  /** Nobody asks for more rows. */
  readonly stop: (run: number) => Promise<void>;
};

/** What the thread asks for. */
export type MainCalls = {
  readonly read: (run: number, statement: Sql, format: string) => Promise<Uint8Array<ArrayBuffer>>;
  readonly rows: (run: number, statement: Sql) => Promise<Record<string, unknown>[]>;
};
