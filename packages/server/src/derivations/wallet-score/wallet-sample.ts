import type { Day } from "./calm.ts";
import type { PenaltyInput } from "./penalties.ts";
import type { ScoreEvent } from "./score-event.ts";

/** All that a wallet's score hangs on: its events and days of the window, and the patterns it shows. */
export type WalletSample = {
  readonly wallet: string;
  readonly events: readonly ScoreEvent[];
  readonly days: readonly Day[];
  readonly penalty: PenaltyInput;
};
