import type { Column } from "./column.ts";
import type { Cost } from "./cost.ts";
import type { Formula } from "./formula.ts";
import type { Held } from "./held.ts";
import type { Listed } from "./listed.ts";
import type { ReadEngine } from "./read-engine.ts";
import type { Param } from "./param.ts";
import type { ServedBuckets } from "./served-buckets.ts";
import type { ServedKeyed } from "./served-keyed.ts";
import type { Served } from "./served-dataset.ts";
import type { Span } from "./spans.ts";
import type { Bound, Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";
import type { Venue } from "./venue.ts";

export type Params = Readonly<Record<string, Param>>;
export type Row = Readonly<Record<string, Column>>;

/** The parameters as a query sees them: bound values; one that was off or not sent is absent. */
export type Given<P extends Params> = { readonly [K in keyof P]?: Bound };

/** One step of the order, as an engine expression over plain columns, and its value read back from a wire row. */
export type OrderKey = {
  readonly by: Sql;
  readonly direction: "asc" | "desc";
  /** The stored form of a value read back from a row (always bound as text). */
  readonly stored: (value: Bound) => Sql;
  readonly value: (row: Readonly<Record<string, unknown>>) => string | number;
  /** The field that shows it, where it is one. */
  readonly field?: string;
};

/** The order keys of a row, as a cursor has them. */
export type Keys = readonly (string | number)[];

/** Where a page's rows stand in the order: after a row. */
export type Place = { readonly after: Keys };

/** A page's worth of a question: the framework adds cursor, order and limit. */
export type Question = {
  /** Row field → engine expression. A field of the dataset's `row` that is not here is the column of its name in `from`. */
  readonly select?: Readonly<Record<string, Sql>>;
  readonly from: Sql;
  readonly where?: readonly Sql[];
  /** Total: the last key must be unique within equal earlier ones. */
  readonly order: readonly OrderKey[];
  /** An expression that is true for rows already stored at a snapshot, where the rows carry that. */
  readonly storedBy?: (snapshot: Bound) => Sql;
  /** Conditions of which each row meets exactly one; each is read in its own order and cut before they are merged. */
  readonly branches?: readonly Sql[];
  /**
   * A unique column of `from`: the page's keys are found first, over few columns, and only their rows are read whole.
   * For wide tables whose index begins with that column.
   */
  readonly key?: Sql;
  /** `from` holds this page's rows and no others. */
  readonly isPaged?: boolean;
};

/** What is worked out in TypeScript before a page's statement is asked, as fragments of it: see `prepare`. */
export type Prepared = Readonly<Record<string, Sql>>;

/** What the framework tells a query besides its parameters. */
export type Asking = {
  /** How many rows the framework will read at most (limit + 1), to bound inner work. */
  readonly rows: number;
  readonly offset: number;
  /** The snapshot of the cursor's walk (microseconds since 1970), when the caller walks by cursor. */
  readonly snapshot?: Bound;
  /** Now; throughout a walk by cursor the moment it began where cursors are on the clock (microseconds since 1970). */
  readonly now: Bound;
  /** When the rows of DatasetDefinition.held were gathered; absent where nobody can say. */
  readonly held?: Held;
  /** Old rows are in cold storage: they are to be looked at only where recent ones are too few. */
  readonly recentFirst?: true;
  /** What DatasetDefinition.prepare gave; absent where a statement is composed and not run. */
  readonly prepared?: Prepared;
  /** The rows after the cursor's place in this order; nothing on a first page. */
  readonly after: (order: readonly OrderKey[]) => Sql;
  /** The place itself, for rows that are made here. */
  readonly place?: Place;
};

export type Example = { readonly title: string; readonly params: Readonly<Record<string, string>> };

/** A parameter that stands for the ids of another where that is not given: they are found before the query is asked. */
export type NamedIds = { readonly param: string; readonly by: string; readonly ids: (name: Bound) => Sql };

/** When what is asked for was traded: Unix seconds, null where that is not known or not yet. */
export type Lifetime = { readonly from_s: number | null; readonly to_s: number | null };

/**
 * When each of what is asked for was traded. `rows`: one of `id` (as it was asked for), `from_s` and `to_s` each.
 * `held`: the same from the list of a table of markets, of a row as its dataset answers it; a token is found by the
 * condition that the table of tokens has for it.
 */
export type Lifetimes = {
  readonly ids: readonly string[];
  readonly rows: Sql;
  readonly held: {
    readonly markets: TableDefinition;
    readonly tokens?: TableDefinition | undefined;
    /** The column of texts by which markets are found, where that is not the list's key. */
    readonly column?: string | undefined;
    readonly lifetime: (row: Readonly<Record<string, unknown>>) => Lifetime;
  };
};

export type DatasetDefinition<P extends Params = Params> = {
  readonly agentId: number;
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly plan: "free" | "pro" | "enterprise";
  readonly params: P;
  readonly row: Row;
  /** What is never null in raw for a key in compatible mode: figures are 0 there, or texts empty. */
  readonly neverNull?: "figures" | "texts";
  readonly limit: { readonly default: number; readonly max: number };
  /** In words, for the documentation. */
  readonly order: string;
  /** For rows that change: the snapshot a walk that starts now is on (microseconds). Others are on the clock. */
  readonly snapshot?: Sql;
  /** For small tables that are asked all the time: the engine keeps their blocks unpacked. */
  readonly isHot?: boolean;
  /** For deep statements over few rows, which cost more to plan than to run: the engine plans them less. */
  readonly isDeep?: boolean;
  /** How long a cursor is good for, where superseded rows are not kept for ever. */
  readonly cursorHours?: number;
  /** Which tables hold what is asked: coverage is that of the streams that fill them. */
  readonly tables: readonly TableDefinition[];
  /** Which tables do instead where a parameter is given. */
  readonly tablesWith?: { readonly param: keyof P & string; readonly tables: readonly TableDefinition[] };
  /** What else its statements read: no part of coverage, but an answer is out of date when it changes. */
  readonly alsoReads?: readonly TableDefinition[];
  /** Whose rows it gives, where its tables hold several venues': coverage is that of this venue's streams. */
  readonly venue?: Venue;
  /** The same, where a parameter (a list) chooses among venues; all of these without it. */
  readonly venues?: { readonly param: keyof P & string; readonly all: readonly Venue[] };
  /** A table of which the query is told when each venue's rows were gathered. It is no part of coverage by itself. */
  readonly held?: TableDefinition;
  /**
   * Names of the parameters that bound the answer in time, for coverage. `hours`: so many before the end, which is now
   * without one, where there is no `from`. `needsAllBefore`: it hangs on everything before too, as profit does on what
   * was paid.
   */
  readonly range?: {
    readonly from?: keyof P & string;
    readonly to: keyof P & string;
    readonly hours?: keyof P & string;
    readonly needsAllBefore?: boolean;
    /**
     * Pages go back in time, by a first order key that is a moment: always, or where there is no `from`. A page that more
     * follows hangs on nothing older than its last row.
     */
    readonly goesBack?: "always" | "without from";
    /** Parameters that say how long before the end it begins where there is no `from`, and the seconds of their units. */
    readonly ago?: Readonly<Record<string, number>>;
    /** The whole stretch of time (Unix ms) that the row of a moment is of, where rows at the edges are given whole. */
    readonly wholeAt?: (given: Given<P>, ms: number) => Span;
  };
  /** Name of the parameter with the UTC day at the end of which the answer stands, and up to which coverage counts. */
  readonly asOf?: keyof P & string;
  /** What its questions cost, as far as that is not as of most datasets. */
  readonly cost?: Cost<keyof P & string>;
  /** Name of the parameter that names the instruments streams follow, for coverage: gaps of others do not count. */
  readonly instrument?: keyof P & string;
  /** When the markets asked for were traded, for coverage: nothing is missing of before and after. */
  readonly lifetimes?: (given: Given<P>) => Lifetimes | undefined;
  /** By what ids are asked for instead of themselves. */
  readonly named?: NamedIds;
  /** Absent where arithmetic over rows by key (`served`) answers everything; where it is there it answers what no index does. */
  readonly query?: (given: Given<P>, asking: Asking) => Question;
  /** Runs before the page's statement is composed, with statements of its own; `query` gets the result as `prepared`. */
  readonly prepare?: (given: Given<P>, asking: Asking, read: ReadEngine) => Promise<Prepared>;
  /** How the same is answered from rows held by their keys, where the service has these. */
  readonly served?: Served<P> | ServedBuckets<P> | ServedKeyed<P>;
  /**
   * A figure of another dataset: who may not read that one is answered by `served` without it (null), and told so.
   */
  readonly withheld?: {
    readonly field: string;
    readonly of: Pick<DatasetDefinition, "agentId" | "name" | "plan">;
    readonly served: ServedKeyed<P>;
  };
  /** Who may not read that one may not read this one either: figures that are sold together. */
  readonly goesWith?: Pick<DatasetDefinition, "agentId" | "name" | "plan">;
  /** The same from a list of all rows, for catalogues. */
  readonly listed?: Listed<P>;
  /** Checks between parameters; a returned text is a caller's mistake. */
  readonly check?: (sent: ReadonlySet<keyof P & string>) => string | undefined;
  readonly examples: readonly Example[];
  /** How its figures are worked out; every derived dataset has it. */
  readonly formula?: readonly Formula[];
  /** What to know before relying on it: delays, what is missing, traps. */
  readonly notes?: readonly string[];
  /** agent_ids of datasets that answer neighbouring questions. */
  readonly related?: readonly number[];
  /** The guide that says more, by its name under /docs/guides. */
  readonly guide?: string;
};

/** A dataset that is sold under an agent_id. Everything that knows about it reads this value. */
export function defineDataset<const P extends Params>(definition: DatasetDefinition<P>): DatasetDefinition {
  return definition as unknown as DatasetDefinition;
}
