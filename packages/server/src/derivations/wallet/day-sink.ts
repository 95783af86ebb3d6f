import type { Ended, TokenDay } from "./day-sums.ts";
import type { FoldedDay } from "./folded-wallet.ts";
import type { Held } from "./held-tokens.ts";
import type { WalletState } from "./wallet-state.ts";

/** What takes a wallet's days as they end (days since 1970): each day its tokens, its conditions, then the wallet's own. */
export type DaySink = {
  /** A token that had an event. What it is handed is used again for later days. */
  readonly tokenDay: (day: number, sums: TokenDay) => void;
  /** A condition (0x-hex) of which positions ended. */
  readonly conditionDay?: (day: number, condition: string, ended: Ended) => void;
  readonly walletDay: (sums: FoldedDay, held: Held) => void;
  /** The day is over, whether or not there is anything to tell of it. */
  readonly dayOver?: (day: number, state: WalletState) => void;
};
