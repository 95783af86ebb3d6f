/** What one socket of a venue was sent, in order. */
export type BookFeed = {
  readonly venue: "polymarket" | "kalshi";
  readonly source: string;
  readonly instruments: readonly string[];
  readonly frames: readonly BookFrame[];
};

export type BookFrame = { readonly text: string; readonly receivedMs: number };
