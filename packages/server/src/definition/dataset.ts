import type { Column } from "./column.ts";
import type { Cost } from "./cost.ts";
import type { Held } from "./coverage.ts";
import type { Listed } from "./listed.ts";
import type { ReadEngine, ServedKeyed } from "./served-keyed.ts";
import type { Param } from "./param.ts";
import type { ServedBuckets } from "./served-buckets.ts";
import type { Served } from "./served-dataset.ts";
import type { Span } from "./spans.ts";
import type { Bound, Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";
import type { Venue } from "./vocabulary.ts";

export type Params = Readonly<Record<string, Param>>;
export type Row = Readonly<Record<string, Column>>;

/** The parameters as a query receives them: bound values; a parameter that is off or was not sent is absent. */
export type Given<P extends Params> = { readonly [K in keyof P]?: Bound };

/** One step of the order: an engine expression over plain columns, and how its value is read back from a wire row. */
export type OrderKey = {
  readonly by: Sql;
  readonly direction: "asc" | "desc";
  /** The stored form of a value read back from a row (always bound as text). */
  readonly stored: (value: Bound) => Sql;
  readonly value: (row: Readonly<Record<string, unknown>>) => string | number;
  /** The field that shows it, if any. */
  readonly field?: string;
};

/** The order keys of a row, as stored in a cursor. */
export type Keys = readonly (string | number)[];

/** A position in the order: the page's rows come after this row. */
export type Place = { readonly after: Keys };

/** A dataset's query for one page; the framework adds cursor, order and limit. */
export type Question = {
  /** Row field → engine expression. A field of the dataset's `row` missing here is that column of `from`. */
  readonly select?: Readonly<Record<string, Sql>>;
  readonly from: Sql;
  readonly where?: readonly Sql[];
  /** A total order: the last key must be unique within equal earlier ones. */
  readonly order: readonly OrderKey[];
  /** Condition that holds for rows already stored at a snapshot, where the rows record that. */
  readonly storedBy?: (snapshot: Bound) => Sql;
  /** Conditions of which each row meets exactly one; each branch is read in its own order and cut before merging. */
  readonly branches?: readonly Sql[];
  /**
   * A unique column of `from`: the page's keys are found first, from few columns, and only their rows are read in full.
   * For wide tables whose index begins with that column.
   */
  readonly key?: Sql;
  /** `from` already contains exactly this page's rows. */
  readonly isPaged?: boolean;
};

/** SQL fragments computed in TypeScript before a page's statement is composed: see `prepare`. */
export type Prepared = Readonly<Record<string, Sql>>;

/** The framework's inputs to a query besides its parameters. */
export type Asking = {
  /** The maximum number of rows the framework will read (limit + 1), to bound inner work. */
  readonly rows: number;
  readonly offset: number;
  /** The snapshot of the cursor's walk (microseconds since 1970), when the caller walks by cursor. */
  readonly snapshot?: Bound;
  /** Now (microseconds since 1970); in a walk by cursor, where cursors use the clock, the time the walk began. */
  readonly now: Bound;
  /** When the rows of DatasetDefinition.held were gathered; absent where unknown. */
  readonly held?: Held;
  /** Old rows are in cold storage: read them only if recent rows are too few. */
  readonly recentFirst?: true;
  /** The result of DatasetDefinition.prepare; absent where a statement is composed but not run. */
  readonly prepared?: Prepared;
  /** Condition for the rows after the cursor's position in this order; empty on a first page. */
  readonly after: (order: readonly OrderKey[]) => Sql;
  /** The position itself, for rows computed in TypeScript. */
  readonly place?: Place;
};

export type Example = { readonly title: string; readonly params: Readonly<Record<string, string>> };

/** A parameter (`by`) that replaces the ids of another (`param`) if absent: they are resolved before the query runs. */
export type NamedIds = { readonly param: string; readonly by: string; readonly ids: (name: Bound) => Sql };

/** When a market was traded: Unix seconds, null where unknown or not yet. */
export type Lifetime = { readonly from_s: number | null; readonly to_s: number | null };

/**
 * When each requested item was traded. `rows` has one row per item: `id` (as requested), `from_s` and `to_s`. `held`
 * gives the same from the in-memory list of a table of markets, for a row as its dataset returns it; a token is found
 * by the condition that the table of tokens has for it.
 */
export type Lifetimes = {
  readonly ids: readonly string[];
  readonly rows: Sql;
  readonly held: {
    readonly markets: TableDefinition;
    readonly tokens?: TableDefinition | undefined;
    /** The text column by which markets are found, where that is not the list's key. */
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
  /** Values that are never null in raw for a key in compatible mode: figures become 0, or texts become empty. */
  readonly neverNull?: "figures" | "texts";
  readonly limit: { readonly default: number; readonly max: number };
  /** The order in words, for the documentation. */
  readonly order: string;
  /** For rows that change: the snapshot (microseconds) of a walk that starts now. Other datasets use the clock. */
  readonly snapshot?: Sql;
  /** For small tables that are queried constantly: the engine keeps their blocks uncompressed in cache. */
  readonly isHot?: boolean;
  /** For deep statements over few rows, which cost more to plan than to run: the engine does less planning. */
  readonly isDeep?: boolean;
  /** How long a cursor stays valid, where superseded rows are not kept permanently. */
  readonly cursorHours?: number;
  /** The tables that hold the answer: coverage is that of the streams that fill them. */
  readonly tables: readonly TableDefinition[];
  /** The tables used instead where a parameter is given. */
  readonly tablesWith?: { readonly param: keyof P & string; readonly tables: readonly TableDefinition[] };
  /** Other tables its statements read: not part of coverage, but a change of them invalidates cached answers. */
  readonly alsoReads?: readonly TableDefinition[];
  /** The venue of its rows, where its tables hold several venues': coverage is that of this venue's streams. */
  readonly venue?: Venue;
  /** The same, where a list parameter selects the venues; all of these if it is not given. */
  readonly venues?: { readonly param: keyof P & string; readonly all: readonly Venue[] };
  /** A table whose gathering times per venue the query receives (Asking.held). Not part of coverage by itself. */
  readonly held?: TableDefinition;
  /**
   * Names of the parameters that bound the answer in time, for coverage. `hours`: length before the end (now if not
   * given), used where there is no `from`. `needsAllBefore`: the answer depends on all earlier rows too, as profit does
   * on cost.
   */
  readonly range?: {
    readonly from?: keyof P & string;
    readonly to: keyof P & string;
    readonly hours?: keyof P & string;
    readonly needsAllBefore?: boolean;
    /**
     * Pages go back in time, with a timestamp as the first order key: always, or where there is no `from`. A page that
     * is not the last depends on nothing older than its last row.
     */
    readonly goesBack?: "always" | "without from";
    /** Parameters that set the start as a length before the end if there is no `from`, and their units in seconds. */
    readonly ago?: Readonly<Record<string, number>>;
    /** The full interval (Unix ms) covered by the row of a timestamp, where rows at the edges are returned complete. */
    readonly wholeAt?: (given: Given<P>, ms: number) => Span;
  };
  /** The first and the last of two times or days, where these are not those of `range`. */
  readonly ordered?: { readonly from: keyof P & string; readonly to: keyof P & string };
  /** Name of the parameter with the UTC day at whose end the answer stands and coverage ends. */
  readonly asOf?: keyof P & string;
  /** The cost of its requests, as far as it differs from the usual. */
  readonly cost?: Cost<keyof P & string>;
  /** Name of the parameter with the instruments that streams follow, for coverage: gaps of others do not count. */
  readonly instrument?: keyof P & string;
  /** When the requested markets were traded, for coverage: nothing can be missing before or after. */
  readonly lifetimes?: (given: Given<P>) => Lifetimes | undefined;
  /** The parameter by which ids can be named indirectly. */
  readonly named?: NamedIds;
  /** Absent where `served` (arithmetic over rows by key) answers everything; else it answers whatever no index can. */
  readonly query?: (given: Given<P>, asking: Asking) => Question;
  /** Runs before the page's statement is composed, with its own statements; `query` gets its result as `prepared`. */
  readonly prepare?: (given: Given<P>, asking: Asking, read: ReadEngine) => Promise<Prepared>;
  /** How the same answer is computed from the serving index (rows by key), where the service has one. */
  readonly served?: Served<P> | ServedBuckets<P> | ServedKeyed<P>;
  /**
   * A figure of another dataset: a caller without access to that one is answered by `served`, with null, and notified.
   */
  readonly withheld?: {
    readonly field: string;
    readonly of: Pick<DatasetDefinition, "agentId" | "name" | "plan">;
    readonly served: ServedKeyed<P>;
  };
  /** A caller without access to that dataset has no access to this one either: the figures are sold together. */
  readonly goesWith?: Pick<DatasetDefinition, "agentId" | "name" | "plan">;
  /** The same answer from a list of all rows, for catalogues. */
  readonly listed?: Listed<P>;
  /** Validates combinations of parameters; a returned text is reported as the caller's mistake. */
  readonly check?: (sent: ReadonlySet<keyof P & string>) => string | undefined;
  readonly examples: readonly Example[];
  /** How its figures are computed; every derived dataset has it. */
  readonly formula?: readonly Formula[];
  /** Caveats for the reader: delays, missing data, traps. */
  readonly notes?: readonly string[];
  /** agent_ids of related datasets. */
  readonly related?: readonly number[];
  /** The guide with more detail, by its name under /docs/guides. */
  readonly guide?: string;
};

/** Defines a dataset, sold under an agent_id. Everything that needs to know about it reads this value. */
export function defineDataset<const P extends Params>(definition: DatasetDefinition<P>): DatasetDefinition {
  return definition as unknown as DatasetDefinition;
}

/**
 * How figures are computed, for readers: which fields of a row, and their meaning in words and symbols. Names of fields
 * and parameters are in `backticks`; any other name is explained where it appears.
 */
export type Formula = {
  readonly title: string;
  /** Fields of the row that these lines define; empty for intermediate definitions. */
  readonly fields: readonly string[];
  readonly says: readonly string[];
};
