import type { Amount } from "./folded-wallet.ts";

/** Kinds of ledger rows; resolutions and income are separate rows from their own sources. */
export const LEDGER_KINDS = [
  "buy",
  "sell",
  "split",
  "merge",
  "conversion",
  "redemption",
  "transfer_in",
  "transfer_out",
] as const;

export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** One signed change of one token of a wallet. Integers of 1e-6. Rows of one operation share transaction and log. */
export type LedgerRow = {
  readonly kind: LedgerKind;
  /** Block time, Unix seconds. */
  readonly at: number;
  readonly block: number;
  readonly log: number;
  /** Index within the operation, from 0. */
  readonly sub: number;
  readonly tx: string;
  /** Decimal text. */
  readonly token: string;
  /** 0x-hex; empty while the token's market is unknown. */
  readonly condition: string;
  readonly shares: Amount;
  /** Money to the wallet, before fees; an operation's full amount is on its first row. */
  readonly usd: Amount;
  readonly fee: Amount;
  readonly isMaker: boolean;
  /** If false the fee is 0, and figures that depend on it are estimated. */
  readonly isFeeKnown: boolean;
};

/** Payouts of a condition from the chain, or from the catalogue while the chain has none. */
export type Resolution = {
  readonly at: number;
  readonly block: number;
  readonly log: number;
  /** Only the catalogue has it: block and log are 0, and figures that depend on it are estimated. */
  readonly isFromCatalogue: boolean;
  /** Payout of a share by token (decimal text), 1e-6 USD. */
  readonly payouts: ReadonlyMap<string, Amount>;
};
