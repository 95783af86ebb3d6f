import type { Hex } from "./contract.ts";

/** Data API activity types that are income. */
export const INCOME_TYPES = ["REWARD", "MAKER_REBATE", "TAKER_REBATE", "REFERRAL_REWARD", "YIELD"] as const;

/** A payment by the venue to a wallet, apart from its trades: one credit of one day. */
export interface IncomePayment {
  /** Increases with every payment; separate from the happenings' sequence. */
  seq: number;
  /** Timestamp of its block. */
  ms: number;
  wallet: Hex;
  /** Only rewards and maker rebates are simulated; the other types exist upstream. */
  type: (typeof INCOME_TYPES)[number];
  amount_micro: number;
  /** All payments of a day and type share one transaction. */
  tx_hash: Hex;
}

/** Payments by the venue so far. They are in no purse and are no happenings, so trading does not depend on them. */
export interface IncomeWorld {
  /** Oldest first. */
  all(): readonly IncomePayment[];
  /** Payments to one wallet, oldest first. */
  of(address: string): readonly IncomePayment[];
}

/** Share of the takers' fees paid back to makers, in 1e-4; Gamma's `rebateRate`. */
export const REBATE_RATE_E4 = 2000;
