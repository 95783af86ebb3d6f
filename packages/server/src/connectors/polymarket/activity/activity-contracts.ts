/**
 * The contracts on Polygon that hold, move, make and burn outcome tokens, in lower case. Source:
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
