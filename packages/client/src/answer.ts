/** A row as the dataset documents it; pass `ask` your own type for the dataset you read. */
export type Row = Readonly<Record<string, unknown>>;

export type Pagination = {
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
};

export type Gap = { readonly from: string; readonly to: string | null; readonly reason: string };

/**
 * The part of the requested data that the store contains. `complete: false` means rows that exist upstream could be
 * missing.
 */
export type Coverage = {
  readonly complete: boolean;
  readonly from: string | null;
  readonly to: string | null;
  readonly gaps: readonly Gap[];
  readonly reasons: readonly string[];
  /** Range of the serving index that answered; absent if the column engine answered. */
  readonly index?: { readonly from: string | null; readonly to: string | null };
};

/** The rate limit state after this request. */
export type Rate = {
  /** Requests refilled per minute. */
  readonly limit: number;
  /** Maximum burst, of which `remaining` is left. */
  readonly burst: number;
  readonly remaining: number;
  /**
   * Seconds until one more request is available; 0 if the full burst is; for a rejected query, until it would be
   * accepted.
   */
  readonly resetSeconds: number;
};

export type Answer<R = Row> = {
  readonly results: readonly R[];
  readonly pagination: Pagination;
  readonly coverage: Coverage;
  /** The filters as they were applied, defaults included. */
  readonly params: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  readonly timestamp: string;
  readonly requestId: string;
  /** Absent if the service sends no rate limit headers. */
  readonly rate: Rate | undefined;
};
