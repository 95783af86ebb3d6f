import type { Maker } from "./maker.ts";
import type { PackedRows } from "./packed-rows.ts";
import type { Sql } from "./sql.ts";
import type { InsertRow, TableDefinition } from "./table.ts";

/** A UTC day, YYYY-MM-DD. */
export type Day = string;
/** Keys, or values that lead to keys, with the first day that was touched of each. */
export type Touched = ReadonlyMap<string, Day>;

/** Reads rows for a fold: as objects (64-bit integers and decimals as strings), or as the bytes of an engine format. */
export type FoldReader = {
  readonly rows: <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>;
  readonly bytes: (statement: Sql, format: string) => Promise<Buffer>;
  /** What a fold wants to know only once in one piece of work, by names of its own. */
  readonly memory: Map<string, unknown>;
};

/** A table whose rows touch keys of a fold. */
export type FoldSource = {
  readonly table: TableDefinition;
  /** The column of the moment. */
  readonly moment: string;
  /** Columns that hold keys or, with `find`, values that lead to keys; each with a sort order that begins with it. */
  readonly columns: Readonly<Record<string, string>>;
  /** Its rows' moments may change by so much when rows take the place of others; none when absent. */
  readonly lateSeconds?: number;
  /** Which of its rows touch anything, of rows on their way into the store and of those in it; all when absent. */
  readonly only?: { readonly row: (row: InsertRow) => boolean; readonly stored: Sql };
  /** Only days that are over count: what a day under way brings is worked out when it ends. */
  readonly isOfClosedDays?: boolean;
  /** The keys that values lead to. `sinceMs`: rows of the source were written from then on; undefined where not known. */
  readonly find?: (read: FoldReader, values: Touched, sinceMs: number | undefined) => Promise<Touched>;
};

/** Keys to be worked out from a day on; up to `to` where that is given. */
export type FoldSlice = {
  readonly keys: readonly string[];
  readonly from: Day;
  readonly to: Day | undefined;
  /** The last day that is over: up to it every day on which something is held has its row. */
  readonly closed: Day;
};

/** Dense numbers for ids of 256 bits (decimal text), of one store of checkpoints. */
export type IdNumbers = {
  readonly numberOf: (id: string) => number;
  readonly idOf: (number: number) => string;
};

/** What was kept of keys. */
export type Kept = IdNumbers & {
  /** The state of a key at the end of its last day before one; undefined where it had nothing then. */
  readonly before: (key: string, day: Day) => Buffer | undefined;
};

/** A key that was worked out, with its states at the end of some days, from which later days can be worked out. */
export type FoldedKey = {
  readonly key: string;
  /** No day after it has a row of the key in the ledger, or anything else that moves it. */
  readonly lastDay: Day;
  /** Events after the last of its checkpoints; of the slice's first day on where it has none. */
  readonly eventsSince: number;
  readonly checkpoints: readonly { readonly day: Day; readonly state: Buffer }[];
};

export type Folded = { readonly rows: readonly FoldRows[]; readonly keys: readonly FoldedKey[] };

/**
 * Tables worked out key by key (a wallet), day after day: each day's rows hang on the key's rows of that day and on
 * what the day before left. Working a slice out twice leaves what once left. Keys are bytes, written as 0x-hex.
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
  /** How long touched keys are gathered at least: a turn plans some thirty statements, however few keys it has. */
  readonly gatherSeconds?: number;
  /** Raised with what is kept of a key or with a rule: what was kept in another form is forgotten. */
  readonly form: number;
  /**
   * Makes the rows of a slice, of each table all there are for its keys and days, going on from what was kept before its
   * first day. Of each key it keeps the state at the end of the last day that is over, or of the slice's last.
   */
  readonly work: (read: FoldReader, slice: FoldSlice, kept: Kept) => Promise<Folded>;
  /** Keys that a span (Unix ms) had rows of: some were taken away and nothing says which. */
  readonly findUndone: (read: FoldReader, span: { readonly from: number; readonly to: number }) => Promise<Touched>;
  /** Of keys in a range (0x-hex, both inclusive): those that need rows for the days after `closed` up to `day`. */
  readonly findHolders: (
    read: FoldReader,
    days: { readonly closed: Day; readonly day: Day },
    range: KeyRange,
  ) => Promise<Touched>;
  /** Keys whose rows lacked something that is known by now, of which either was stored since (Unix ms). */
  readonly findRipe: (read: FoldReader, sinceMs: number) => Promise<Touched>;
};

/** Of each table that a fold makes: what coverage asks for. */
export const foldMakers = ({ name, title, from, into }: Fold): Maker[] =>
  into.map((table) => ({ name, title, from: from.map((source) => source.table), into: table, everySeconds: 0 }));

export type FoldRows = { readonly table: TableDefinition; readonly rows: PackedRows };
export type KeyRange = { readonly first: string; readonly last: string };

export const defineFold = (fold: Omit<Fold, "kind">): Fold => ({ kind: "fold", ...fold });
