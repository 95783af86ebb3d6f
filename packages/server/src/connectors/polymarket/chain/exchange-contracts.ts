/** The exchanges on Polygon whose fills we read, in lower case. Source: reference/polymarket.md §8.1. */
export const exchangeContracts = {
  v1: "0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e",
  v1NegRisk: "0xc5d563a36ae78145c45a50134d48a1215220f80a",
  v2: "0xe111180000d2663c0091e4f400237545b87b996b",
  v2NegRisk: "0xe2222d279d744050d28e00520010520000310f59",
  feeModule: "0xe3f18acc55091e2c48d883fc8c8413319d4ab7b0",
  feeModuleNegRisk: "0xb768891e3130f6df18214ac804d4db76c2c37730",
} as const;
