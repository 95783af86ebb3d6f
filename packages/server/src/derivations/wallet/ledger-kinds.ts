/** What a row of the ledger did; beside it stand resolutions and income, which are rows of their own sources. */
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
