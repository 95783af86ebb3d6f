import type { Hex } from "./contract.ts";

/** Types of the Data API's activity that are income. */
export const INCOME_TYPES = ["REWARD", "MAKER_REBATE", "TAKER_REBATE", "REFERRAL_REWARD", "YIELD"] as const;

/** Money that the venue pays a wallet beside its trades: one credit of one day. */
export interface IncomePayment {
  /** Rises with every payment; not on the scale of happenings. */
  seq: number;
  /** Timestamp of its block. */
  ms: number;
  wallet: Hex;
  /** The worlds pay rewards and maker rebates; the other types exist upstream. */
  type: (typeof INCOME_TYPES)[number];
  amount_micro: number;
  /** All payments of a day and type are one transaction. */
  tx_hash: Hex;
}

/** What the venue paid so far. In nobody's purse and no happening: what is traded does not hang on it. */
export interface IncomeWorld {
  /** Oldest first. */
  all(): readonly IncomePayment[];
  /** Of one wallet, oldest first. */
  of(address: string): readonly IncomePayment[];
}
