/** Contracts on Polygon, lower case (reference polymarket.md §8.1). */
export const ADDRESSES = {
  zero: "0x0000000000000000000000000000000000000000",
  ctf: "0x4d97dcd97ec945f40cf65f87097ace5ea0476045",
  exchange_v1: "0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e",
  neg_risk_exchange_v1: "0xc5d563a36ae78145c45a50134d48a1215220f80a",
  exchange_v2: "0xe111180000d2663c0091e4f400237545b87b996b",
  neg_risk_exchange_v2: "0xe2222d279d744050d28e00520010520000310f59",
  neg_risk_adapter: "0xd91e80cf2e7be2e162c6513ced06f1dd0da35296",
  neg_risk_operator: "0x71523d0f655b41e805cec45b17163f528b59b820",
  /** The address seen in a real mint of V2 (recorded onchain/v2_mint_match). */
  collateral_adapter: "0xada100874d00e3331d00f2007a9c336a65009718",
  neg_risk_collateral_adapter: "0xada2005600dec949baf300f4c6120000bdb6eaab",
  /** Address to which the NegRiskAdapter sends converted NO tokens: keccak256("NO_TOKEN_BURN_ADDRESS"). */
  no_token_burn: "0xa5ef39c3d3e10d0b270233af41cac69796b12966",
  wrapped_collateral: "0x3a3bd7bb9528e159577f7c2e685cc81a765002e2",
  usdc_e: "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
  uma_adapter: "0x157ce2d672854c848c9b79c49a8cc6cc89176a49",
  fee_receiver: "0x115f48dc2a731aa16251c6d6e1befc42f92accc9",
} as const;
