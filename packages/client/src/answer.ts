/** A row as the dataset documents it; give `ask` a type of your own for the dataset you read. */
export type Row = Readonly<Record<string, unknown>>;

export type Pagination = {
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  /** Asks for the next page of the same walk; null on the last one. */
  readonly nextCursor: string | null;
};

export type Gap = { readonly from: string; readonly to: string | null; readonly reason: string };

/** What the store holds of what was asked. `complete: false` means rows that exist upstream could be missing. */
export type Coverage = {
  readonly complete: boolean;
  readonly from: string | null;
  readonly to: string | null;
  readonly gaps: readonly Gap[];
  readonly reasons: readonly string[];
  /** What the serving index that answered holds; absent where the column engine answered. */
  readonly index?: { readonly from: string | null; readonly to: string | null };
};

/** The allowance after this request. */
export type Rate = {
  /** Requests a minute that come back. */
  readonly limit: number;
  /** Requests at once after a rest: what `remaining` is of. */
  readonly burst: number;
  readonly remaining: number;
  /** Seconds until one more is left; 0 where all of the burst is; of a refused question, until it is accepted. */
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
  /** Absent where the service sends no rate headers. */
  readonly rate: Rate | undefined;
};
