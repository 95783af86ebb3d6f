import type { Readable } from "../access/caller.ts";
import type { Coverage } from "../definition/coverage.ts";
import type { KeyMode } from "../definition/vocabulary.ts";
import type { Waiter } from "./waiting.ts";

export type FormatType = "raw" | "typed" | "csv" | "ndjson" | "parquet" | "arrow";

/**
 * A page with its rows still as bytes. `body` is a JSON array for raw and typed, the complete document for other
 * formats.
 */
export type Answer = {
  readonly agentId: number;
  readonly format: FormatType;
  readonly contentType: string;
  readonly body: Buffer;
  readonly rowCount: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly coverage: Coverage;
  readonly warnings: readonly string[];
  /** Computed over the rows, the format and the page; quoted, as in an ETag header. */
  readonly etag: string;
};

/** The caller, as far as a query needs to know it. */
export type Asker = {
  readonly mayRead: (dataset: Readable) => boolean;
  readonly maxPage: number;
  /** Maximum number of items a list parameter may have; if absent, only the parameter kinds limit it. */
  readonly lists?: { readonly most: number; readonly plan: string };
  /** Strict if absent. */
  readonly mode?: KeyMode;
  /** Account among which the column engine's time is shared; callers without one share a single account. */
  readonly account?: string;
  /** Absent if the caller waits whatever happens. */
  readonly waiter?: Waiter;
  /** Charges the cost of the query before it is answered. Throws RATE_LIMITED if the balance is too low. */
  readonly charge?: (units: number) => Promise<void>;
};

/** Whether the caller already has the rows of an answer. */
export type HasAlready = (answer: Pick<Answer, "etag" | "coverage">) => boolean;

/**
 * `body` is the parsed JSON object of the request; `accept` the format requested by header, if any. An answer for which
 * `hasAlready` returns true may omit its rows.
 */
export type Ask = (
  body: Readonly<Record<string, unknown>>,
  asker: Asker,
  accept: FormatType | undefined,
  hasAlready?: HasAlready,
) => Promise<Answer>;
