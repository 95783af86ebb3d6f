/** Polygon mainnet addresses Polymarket trades through. Source: shared/reference/polymarket.md §8.1. */
export const contracts = {
  conditionalTokens: "0x4D97DCd97eC945f40cF65F87097ACe5EA0476045",
  exchangeV1: "0x4bFb41d5B3570DeFd03C39a9A4D8dE6Bd8B8982E",
  negRiskExchangeV1: "0xC5d563A36AE78145C45a50134d48A1215220f80a",
  exchangeV2: "0xE111180000d2663C0091e4f400237545B87B996B",
  negRiskExchangeV2: "0xe2222d279d744050d28e00520010520000310F59",
  negRiskAdapter: "0xd91E80cF2E7be2e162c6513ceD06f1dD0dA35296",
  negRiskOperator: "0x71523d0f655B41E805Cec45b17163f528B59B820",
  wrappedCollateral: "0x3A3BD7bb9528E159577F7C2e685CC81A765002E2",
  collateralAdapter: "0xAdA100Db00Ca00073811820692005400218FcE1f",
  negRiskCollateralAdapter: "0xadA2005600Dec949baf300f4C6120000bDB6eAab",
  pusd: "0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB",
  usdcE: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174",
  umaAdapter: "0x157Ce2d672854c848c9b79C49a8Cc6cc89176a49",
  feeReceiver: "0x115F48dc2a731aa16251c6d6e1befC42f92accC9",
} as const;
