/** What a wallet did in one event, over the markets of it that were resolved in the window, and what it realised there. */
export type ScoreEvent = {
  readonly category: string;
  readonly entries: number;
  readonly edgeSum: number;
  readonly varianceSum: number;
  /** Weighted sum of the entries' edges with luck taken out and costs charged, and the sum of the weights. */
  readonly skillSum: number;
  readonly weight: number;
  /** Weighted sum of price times (1 less price). */
  readonly spread: number;
  readonly clvEntries: number;
  readonly clvSum: number;
  /** Realised profit of each of its markets, USD. */
  readonly profits: readonly number[];
};
