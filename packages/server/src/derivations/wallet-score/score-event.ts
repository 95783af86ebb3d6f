import type { Day } from "./measures.ts";
import type { PenaltyInput } from "./penalties.ts";

/** All inputs of a wallet's score: its events and days of the window, and its patterns. */
export type WalletSample = {
  readonly wallet: string;
  readonly events: readonly ScoreEvent[];
  readonly days: readonly Day[];
  readonly penalty: PenaltyInput;
};

/** A wallet's activity in one event, over its markets resolved in the window, and its realised profit there. */
export type ScoreEvent = {
  readonly category: string;
  readonly entries: number;
  readonly edgeSum: number;
  readonly varianceSum: number;
  /** Weighted sum of the entries' edges with luck removed and costs charged, and the sum of the weights. */
  readonly skillSum: number;
  readonly weight: number;
  /** Weighted sum of price times (1 less price). */
  readonly spread: number;
  readonly clvEntries: number;
  readonly clvSum: number;
  /** Realised profit of each of its markets, USD. */
  readonly profits: readonly number[];
};
