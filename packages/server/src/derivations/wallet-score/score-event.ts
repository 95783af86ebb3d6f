import type { Day } from "./measures.ts";
import type { PenaltyInput } from "./penalties.ts";

/** All that a wallet's score hangs on: its events and days of the window, and the patterns it shows. */
export type WalletSample = {
  readonly wallet: string;
  readonly events: readonly ScoreEvent[];
  readonly days: readonly Day[];
  readonly penalty: PenaltyInput;
};

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
