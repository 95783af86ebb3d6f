import type { Given, OrderKey, Params } from "./dataset.ts";
import type { MadeValue } from "./served-buckets.ts";
import type { ServedTable } from "./served.ts";
import type { Bound, Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";
import type { ReadBytes, ReadRows } from "./day-derivation.ts";

/** A row of the serving index, by column name; valid until the iteration continues. */
export type KeyedRow = {
  /** Seconds and counts; a flag is 0 or 1, a choice its index in `values`. */
  readonly number: (column: string) => number;
  /** Money in millionths, of a column that is not null in this row. */
  readonly micros: (column: string) => number | bigint;
  /** Decimal text, 0x-hex, a word, a text or a number, by the column's kind. */
  readonly value: (column: string) => string | number | null;
};

/** Seconds, both inclusive. */
export type KeyedSpan = { readonly from: number; readonly to: number };

/** Rows of a table for one value of a key column, within a time span: oldest first. */
export type ReadKeyed = (table: ServedTable, column: string, value: string, span?: KeyedSpan) => Iterable<KeyedRow>;

/** Facts about tokens (decimal text): every token has an entry; texts are empty where nothing is known. */
export type ReportTokens = (tokens: readonly string[]) => ReadonlyMap<string, TokenFacts>;

export type TokenFacts = Readonly<Record<"condition_id" | "outcome" | "slug", string>> & {
  readonly outcome_index: number;
};

/**
 * Rows of a table with one row per timestamp, within a span: newest first, down to the first one at or before `from`.
 */
export type ReadLatest = (table: ServedTable, column: string, value: string, span: KeyedSpan) => Iterable<KeyedRow>;

/**
 * Rows of a table for one value of a key column, up to the end of a second: newest first, as far back as they are
 * consumed. Only possible on an index; if it lacks older rows that are needed, the query must answer.
 */
export type WalkBack = (table: ServedTable, column: string, value: string, to: number) => Iterable<KeyedRow>;

export type KeyedReader = {
  readonly rows: ReadKeyed;
  readonly latest: ReadLatest;
  readonly back: WalkBack;
  readonly tokens: ReportTokens;
  /** Whether everything requested was available: rows not loaded yet are reported as none. */
  readonly isWhole: () => boolean;
};

/** Rows of an engine statement, cached until one of the tables that it reads changes. */
export type ReadStatement = <Row extends Record<string, unknown>>(
  statement: Sql,
  tables: readonly TableDefinition[],
) => Promise<readonly Row[]>;

/** A search's inputs besides rows by key. */
export type KeyedAsking = {
  /** Microseconds since 1970. Where the dataset has no query, the answer depends only on its UTC day. */
  readonly now: Bound;
  readonly statement: ReadStatement;
  readonly board: ReadBoard;
  readonly read: ReadEngine;
  /** The position in the order after which the page begins, and the number of rows needed at most, offset included. */
  readonly after: readonly (string | number)[] | undefined;
  /** For a walk by cursor: when it began, in microseconds since 1970. */
  readonly snapshot: number | undefined;
  readonly depth: number;
  /** Number of rows to skip before the page. */
  readonly offset: number;
};

/** One step of the order, read back from a response row. */
export type ReadKey = Pick<OrderKey, "value">;

/** A row of the response. */
export type MadeRow = {
  /** The first order key: seconds, or 0 in all rows. */
  readonly at: number;
  readonly values: () => Readonly<Record<string, MadeValue>>;
};

export type KeyedSearch = {
  readonly keys: readonly string[];
  /** The first second read from any table; absent where rows are only walked back. */
  readonly from?: number;
  /** The rows of a key, in order; undefined marks a point where other work may run. */
  readonly rows: (key: string, reader: KeyedReader) => Iterable<MadeRow | undefined>;
  /** Pages go back from the latest rows, but each page is shown oldest first. */
  readonly isBackward?: boolean;
  /** The rows of the keys, concatenated, already are those after the cursor's position in response order. */
  readonly isPlaced?: boolean;
  /** A walk by cursor omits rows stored since it began. Document formats other than NDJSON are left to the query. */
  readonly isOnSnapshot?: boolean;
  /** The tables it reads, where these are not all: the answer depends on no other table. */
  readonly reads?: Pick<ServedKeyed, "tables" | "tokens">;
};

/**
 * How a dataset is computed from the serving index (rows by key), byte for byte and in the same order as by its query,
 * which is the fallback if there is one.
 */
export type ServedKeyed<P extends Params = Params> = {
  readonly table?: never;
  readonly minutes?: never;
  /** All tables that may be read. */
  readonly tables: readonly ServedTable[];
  /** Set where token facts are looked up. */
  readonly tokens?: TableDefinition;
  /** For forward pages: a timestamp and the key, or the key alone; any order where rows are placed (`isPlaced`). */
  readonly order: readonly ReadKey[] | ((given: Given<P>) => readonly ReadKey[]);
  /** Engine types of fields in Parquet and Arrow, where these are not UInt64 (integer) or Float64 (number). */
  readonly types?: Readonly<Record<string, string>>;
  /** Returns undefined where the query must answer. */
  readonly search: (given: Given<P>, asking: KeyedAsking) => KeyedSearch | undefined | Promise<KeyedSearch | undefined>;
};

/** Figures by which all keys are ranked, kept in memory and updated incrementally as rows change. */
export type Board<Kept extends object> = {
  /** Unique among all boards. */
  readonly id: string;
  /** A change of these tables makes the board stale. */
  readonly tables: readonly TableDefinition[];
  /** Keys (column `key`) that may have a row changed from a version on. */
  readonly changedSince: (version: string) => Sql;
  readonly make: (read: ReadEngine) => Promise<Kept>;
  /** Updates the board from the current stored rows of the changed keys; if absent, the board is rebuilt. */
  readonly renew?: (kept: Kept, changed: readonly string[], read: ReadEngine) => Promise<Kept>;
  readonly bytesOf: (kept: Kept) => number;
};

export type ReadBoard = <Kept extends object>(board: Board<Kept>) => Promise<Kept>;

/** Engine access while computing an answer, besides its statement; the same object for as long as a store is open. */
export type ReadEngine = { readonly rows: ReadRows; readonly bytes: ReadBytes };

type Requested<Place> = {
  readonly compare: (a: Place, b: Place) => number;
  /** The position after which the page begins, and the number of rows needed at most. */
  readonly after: Place | undefined;
  readonly depth: number;
};

/** Returns the first `depth` rows after the position, sorted by `compare`: the page and the rows before it. */
export function placedRows<Place>(
  rows: readonly (MadeRow & Place)[],
  { compare, after, depth }: Requested<Place>,
): MadeRow[] {
  const left = after === undefined ? rows : rows.filter((row) => compare(row, after) > 0);
  return left.toSorted(compare).slice(0, depth);
}
