import { exchangeContracts } from "../chain/exchange-contracts.ts";
import { activityContracts } from "./activity-contracts.ts";

/** Where trades settle: what they make, burn or move is part of fills. */
export const exchanges: ReadonlySet<string> = new Set([
  ...Object.values(exchangeContracts),
  // Exchange V3 (combos).
  "0xe3333700ca9d93003f00f0f71f8515005f6c00aa",
]);

/**
 * Contracts that make, burn and redeem for whoever calls them: the collateral adapters of V2 and the operator that
 * redeems by itself. No event names the caller; only the transfer of the tokens does (reference/polymarket.md §8.1).
 */
export const agents: ReadonlySet<string> = new Set([
  "0xada100db00ca00073811820692005400218fce1f",
  "0xada100874d00e3331d00f2007a9c336a65009718",
  "0xada2005600dec949baf300f4c6120000bdb6eaab",
  "0xa1200000d0002264c9a1698e001292d00e1b00af",
]);

/** Addresses that are nobody's wallet: a move from, to or by one of them is part of a trade or an operation. */
export const passing: ReadonlySet<string> = new Set([
  ...exchanges,
  ...agents,
  activityContracts.negRiskAdapter,
  activityContracts.zero,
  activityContracts.noTokenBurn,
]);
