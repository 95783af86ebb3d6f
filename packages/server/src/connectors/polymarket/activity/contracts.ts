import { exchangeContracts } from "../chain/exchange-events.ts";

/**
 * The contracts on Polygon that hold, move, mint and burn outcome tokens, in lower case. Source:
 * reference/polymarket.md §8.1; `noTokenBurn` is keccak256("NO_TOKEN_BURN_ADDRESS") of the NegRiskAdapter.
 */
export const activityContracts = {
  conditionalTokens: "0x4d97dcd97ec945f40cf65f87097ace5ea0476045",
  negRiskAdapter: "0xd91e80cf2e7be2e162c6513ced06f1dd0da35296",
  usdcE: "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
  wrappedCollateral: "0x3a3bd7bb9528e159577f7c2e685cc81a765002e2",
  zero: "0x0000000000000000000000000000000000000000",
  noTokenBurn: "0xa5ef39c3d3e10d0b270233af41cac69796b12966",
} as const;

/** Contracts that settle trades: tokens they mint, burn or move are part of fills. */
export const exchanges: ReadonlySet<string> = new Set([
  ...Object.values(exchangeContracts),
  // Exchange V3 (combos).
  "0xe3333700ca9d93003f00f0f71f8515005f6c00aa",
]);

/**
 * Contracts that mint, burn and redeem on behalf of their caller: the collateral adapters of V2 and the automatic
 * redemption operator. No event names the caller; only the token transfer does (reference/polymarket.md §8.1).
 */
export const agents: ReadonlySet<string> = new Set([
  "0xada100db00ca00073811820692005400218fce1f",
  "0xada100874d00e3331d00f2007a9c336a65009718",
  "0xada2005600dec949baf300f4c6120000bdb6eaab",
  "0xa1200000d0002264c9a1698e001292d00e1b00af",
]);

/** Addresses that are not user wallets: a move from, to or by one of them is part of a trade or an operation. */
export const passing: ReadonlySet<string> = new Set([
  ...exchanges,
  ...agents,
  activityContracts.negRiskAdapter,
  activityContracts.zero,
  activityContracts.noTokenBurn,
]);

/** Whether a position is in Polymarket's collateral and not nested: other projects use ConditionalTokens too. */
export function polymarketCollateral(collateral: string, parentCollectionId: string): boolean {
  const isMoney = collateral === activityContracts.usdcE || collateral === activityContracts.wrappedCollateral;
  return isMoney && BigInt(parentCollectionId) === 0n;
}
