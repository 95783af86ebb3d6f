import type { Maker } from "./coverage.ts";
import type { PackedRows } from "./packed-rows.ts";
import type { Sql } from "./sql.ts";
import type { InsertRow, TableDefinition } from "./table.ts";

/** A UTC day, YYYY-MM-DD. */
export type Day = string;
/** Keys, or values that lead to keys, each with the first day touched. */
export type Touched = ReadonlyMap<string, Day>;

/** Reads rows for a fold: as objects (64-bit integers and decimals as strings), or as bytes in an engine format. */
export type FoldReader = {
  readonly rows: <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>;
  readonly bytes: (statement: Sql, format: string) => Promise<Buffer>;
  /** A cache under the fold's own names, for the duration of one run. */
  readonly memory: Map<string, unknown>;
};

/** A table whose rows touch keys of a fold. */
export type FoldSource = {
  readonly table: TableDefinition;
  /** The timestamp column. */
  readonly timestamp: string;
  /** Columns that hold keys or, with `find`, values that lead to keys; each with a sort order that begins with it. */
  readonly columns: Readonly<Record<string, string>>;
  /** How far the timestamp of a row may change when rows replace others; 0 when absent. */
  readonly lateSeconds?: number;
  /** Which of its rows touch keys, as a test for incoming rows and a condition for stored ones; all when absent. */
  readonly only?: { readonly row: (row: InsertRow) => boolean; readonly stored: Sql };
  /** Only completed days count: the rows of the current day are processed when it ends. */
  readonly isOfClosedDays?: boolean;
  /** Resolves values to keys. `sinceMs`: the source rows were written from then on; undefined where unknown. */
  readonly find?: (read: FoldReader, values: Touched, sinceMs: number | undefined) => Promise<Touched>;
};

/** Keys to compute from a day on; up to `to` where given. */
export type FoldSlice = {
  readonly keys: readonly string[];
  readonly from: Day;
  readonly to: Day | undefined;
  /** The last completed day: up to it, every day on which a key holds something has a row. */
  readonly closed: Day;
};

/** Dense numbers for 256-bit ids (decimal text), within one store of checkpoints. */
export type IdNumbers = {
  readonly numberOf: (id: string) => number;
  readonly idOf: (number: number) => string;
};

/** The saved checkpoints of keys. */
export type Kept = IdNumbers & {
  /** The state of a key at the end of its last day before `day`; undefined where it had none. */
  readonly before: (key: string, day: Day) => Buffer | undefined;
};

/** A computed key, with its states at the end of some days (checkpoints), from which later days can be computed. */
export type FoldedKey = {
  readonly key: string;
  /** No later day has a ledger row of the key, or anything else that changes it. */
  readonly lastDay: Day;
  /** Number of events after the last checkpoint; from the slice's first day on where there is none. */
  readonly eventsSince: number;
  readonly checkpoints: readonly { readonly day: Day; readonly state: Buffer }[];
};

export type Folded = { readonly rows: readonly FoldRows[]; readonly keys: readonly FoldedKey[] };

/**
 * Tables computed key by key (a wallet), day after day: each day's rows depend on the key's rows of that day and on the
 * previous day's state. Computing a slice is idempotent. Keys are bytes, written as 0x-hex.
 */
export type Fold = {
  readonly kind: "fold";
  readonly name: string;
  readonly title: string;
  readonly from: readonly FoldSource[];
  /** Tables with versions, `is_gone`, and the columns `key` and `day` in their key. */
  readonly into: readonly TableDefinition[];
  readonly key: string;
  readonly day: string;
  /** The minimum time touched keys are batched: a cycle plans some thirty statements, however few keys it has. */
  readonly gatherSeconds?: number;
  /** Version of the checkpoint format and rules; raise it when either changes: older checkpoints are discarded. */
  readonly form: number;
  /**
   * Computes the rows of a slice, complete per table for its keys and days, continuing from the checkpoints before its
   * first day. It keeps each key's state at the end of the last completed day, or of the slice's last.
   */
  readonly work: (read: FoldReader, slice: FoldSlice, kept: Kept) => Promise<Folded>;
  /** Keys that had rows in a span (Unix ms) from which rows were removed, where it is not known which. */
  readonly findUndone: (read: FoldReader, span: { readonly from: number; readonly to: number }) => Promise<Touched>;
  /** Those keys in a range (0x-hex, both inclusive) that need rows for the days after `closed` up to `day`. */
  readonly findHolders: (
    read: FoldReader,
    days: { readonly closed: Day; readonly day: Day },
    range: KeyRange,
  ) => Promise<Touched>;
  /** Keys whose rows lacked something that is known by now, where either was stored since `sinceMs` (Unix ms). */
  readonly findRipe: (read: FoldReader, sinceMs: number) => Promise<Touched>;
};

/** One Maker for each table of a fold, for coverage. */
export const foldMakers = ({ name, title, from, into }: Fold): Maker[] =>
  into.map((table) => ({ name, title, from: from.map((source) => source.table), into: table, everySeconds: 0 }));

export type FoldRows = { readonly table: TableDefinition; readonly rows: PackedRows };
export type KeyRange = { readonly first: string; readonly last: string };

export const defineFold = (fold: Omit<Fold, "kind">): Fold => ({ kind: "fold", ...fold });
