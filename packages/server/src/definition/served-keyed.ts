import type { ReadBoard } from "./board.ts";
import type { Given, OrderKey, Params } from "./dataset.ts";
import type { ReadEngine } from "./read-engine.ts";
import type { MadeValue } from "./served-buckets.ts";
import type { ServedTable } from "./served.ts";
import type { Bound, Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/** A row held by its key, by the names of its columns, until the walk goes on. */
export type KeyedRow = {
  /** Seconds and counts; a flag is 0 or 1, a choice its place among the values. */
  readonly number: (column: string) => number;
  /** Money in millionths, of a column that is not null here. */
  readonly micros: (column: string) => number | bigint;
  /** Decimal text, 0x-hex, a word, a text or a number, by the kind of the column. */
  readonly value: (column: string) => string | number | null;
};

/** Seconds, both inclusive. */
export type KeyedSpan = { readonly from: number; readonly to: number };

/** Rows of a table by a column and its value, of a span of moments: the earliest first. */
export type ReadKeyed = (table: ServedTable, column: string, value: string, span?: KeyedSpan) => Iterable<KeyedRow>;

/** What is known of tokens (decimal text): of every token something; texts are empty where nothing is known. */
export type TellTokens = (tokens: readonly string[]) => ReadonlyMap<string, TokenFacts>;

export type TokenFacts = Readonly<Record<"condition_id" | "outcome" | "slug", string>> & {
  readonly outcome_index: number;
};

/**
 * Rows of a table that has one a moment, as they were from a second to another: the newest first, down to the first one
 * at or before `from`.
 */
export type ReadLatest = (table: ServedTable, column: string, value: string, span: KeyedSpan) => Iterable<KeyedRow>;

/**
 * Rows of a table by a column and its value up to the end of a second: the newest first, as far back as they are asked
 * for. Only an index is walked back, and where it lacks older rows that are asked for the query is to answer.
 */
export type WalkBack = (table: ServedTable, column: string, value: string, to: number) => Iterable<KeyedRow>;

export type KeyedReader = {
  readonly rows: ReadKeyed;
  readonly latest: ReadLatest;
  readonly back: WalkBack;
  readonly tokens: TellTokens;
  /** Whether all that was asked for was there: rows that are still to be read are told as none. */
  readonly isWhole: () => boolean;
};

/** Rows of a statement of the engine, kept until one of the tables that it reads changes. */
export type ReadStatement = <Row extends Record<string, unknown>>(
  statement: Sql,
  tables: readonly TableDefinition[],
) => Promise<readonly Row[]>;

/** What a search may ask besides rows by key. */
export type KeyedAsking = {
  /** Microseconds since 1970. Where the dataset has no query, nothing hangs on it but its UTC day. */
  readonly now: Bound;
  readonly statement: ReadStatement;
  readonly board: ReadBoard;
  readonly read: ReadEngine;
  /** The place in the order after which the page begins, and how many rows it needs at most, offset included. */
  readonly after: readonly (string | number)[] | undefined;
  /** Of a walk by cursor: when it began, in microseconds since 1970. */
  readonly snapshot: number | undefined;
  readonly depth: number;
  /** So many rows before the page are not shown. */
  readonly offset: number;
};

/** One step of the order, read back from a row as it is answered. */
export type ReadKey = Pick<OrderKey, "value">;

/** A row of the answer. */
export type MadeRow = {
  /** What rows are ordered by before their keys: seconds, or 0 in all. */
  readonly at: number;
  readonly values: () => Readonly<Record<string, MadeValue>>;
};

export type KeyedSearch = {
  readonly keys: readonly string[];
  /** The first second that is read of any table; none where rows are walked back alone. */
  readonly from?: number;
  /** The rows of a key, in order; undefined where other work may be let in before the next one. */
  readonly rows: (key: string, reader: KeyedReader) => Iterable<MadeRow | undefined>;
  /** Pages go back from the latest rows, each shown the earliest first. */
  readonly isBackward?: boolean;
  /** The rows of the keys, one key after the other, are those after the cursor's place in the order of the answer. */
  readonly isPlaced?: boolean;
  /** A walk by cursor leaves out what was stored since it began. Documents, in which that is given too, are the query's. */
  readonly isOnSnapshot?: boolean;
  /** What it reads where that is not all: the answer hangs on no other table. */
  readonly reads?: Pick<ServedKeyed, "tables" | "tokens">;
};

/**
 * How a dataset is answered by arithmetic over rows held by their keys; in the same bytes and order as by its query,
 * which answers where these do not reach, where it has one.
 */
export type ServedKeyed<P extends Params = Params> = {
  readonly table?: never;
  readonly minutes?: never;
  /** All that may be read. */
  readonly tables: readonly ServedTable[];
  /** Where tokens are asked about. */
  readonly tokens?: TableDefinition;
  /** Where pages go forward: a moment and the key, or the key alone; of rows that are placed any. */
  readonly order: readonly ReadKey[] | ((given: Given<P>) => readonly ReadKey[]);
  /** Of fields in Parquet and Arrow, where the engine's type is not UInt64 (of an integer) or Float64 (of a number). */
  readonly types?: Readonly<Record<string, string>>;
  /** Undefined where the query is to answer. */
  readonly search: (given: Given<P>, asking: KeyedAsking) => KeyedSearch | undefined | Promise<KeyedSearch | undefined>;
};
