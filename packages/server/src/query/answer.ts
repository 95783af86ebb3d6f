import type { Readable } from "../access/caller.ts";
import type { Coverage } from "../definition/coverage.ts";
import type { KeyMode } from "../definition/key-mode.ts";
import type { Waiter } from "./waiting.ts";

export type FormatType = "raw" | "typed" | "csv" | "ndjson" | "parquet" | "arrow";

/** A page, rows still bytes. For raw and typed `body` is a JSON array; for the others it is the whole document. */
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
  /** Over the rows, the format and the page; quoted, as in an ETag header. */
  readonly etag: string;
};

/** Who asks, as far as a query cares. */
export type Asker = {
  readonly mayRead: (dataset: Readable) => boolean;
  readonly maxPage: number;
  /** How many items a parameter may list; absent where the kinds of parameters alone bound it. */
  readonly lists?: { readonly most: number; readonly plan: string };
  /** Strict where it is not said. */
  readonly mode?: KeyMode;
  /** Among whom the column engine's time is shared; absent: one of its own for all without. */
  readonly account?: string;
  /** Absent for one who waits whatever happens. */
  readonly waiter?: Waiter;
  /** Takes what the question costs before it is answered. Throws RATE_LIMITED where there is not as much. */
  readonly charge?: (units: number) => Promise<void>;
};

/** Whether who asks has the rows of an answer already. */
export type HasAlready = (answer: Pick<Answer, "etag" | "coverage">) => boolean;

/**
 * `body` is the parsed JSON object of the request; `accept` the format asked for by header, if any. An answer that
 * `hasAlready` knows may come without its rows.
 */
export type Ask = (
  body: Readonly<Record<string, unknown>>,
  asker: Asker,
  accept: FormatType | undefined,
  hasAlready?: HasAlready,
) => Promise<Answer>;
