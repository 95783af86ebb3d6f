/** What matching knows of a market: its words, and from when to when it was open (Unix ms, both inclusive). */
export type MatchMarket = {
  readonly condition_id: string;
  readonly event_slug: string;
  readonly event_title: string;
  readonly question: string;
  readonly tags: readonly string[];
  readonly opened_ms: number;
  readonly closed_ms: number;
  /** Its scheduled end (Unix ms): of an election, its day. Undefined where the venue does not say. */
  readonly ends_ms?: number | undefined;
};
