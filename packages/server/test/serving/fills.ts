import type { PlainRow } from "../../src/serving/batch.ts";
import type { ServedTable } from "../../src/definition/served.ts";

export const fillsTable: ServedTable = {
  name: "fills",
  columns: {
    ts: { kind: "seconds" },
    tx_hash: { kind: "hash" },
    order_hash: { kind: "hash" },
    wallet: { kind: "wallet" },
    token_id: { kind: "token" },
    side: { kind: "choice", values: ["BUY", "SELL"] },
    role: { kind: "choice", values: ["maker", "taker", "unknown"] },
    match_kind: { kind: "choice", values: ["complementary", "mint", "merge", "unknown"] },
    shares: { kind: "money" },
    usd: { kind: "money" },
    fee_usd: { kind: "money" },
    block_number: { kind: "count", near: true },
    log_index: { kind: "count" },
    source: { kind: "choice", values: ["chain_v1", "chain_v2", "data_api_v1", "data_api_v2", "rtds"] },
    label: { kind: "text" },
    stored: { kind: "micros" },
  },
  sort: ["ts", "tx_hash", "order_hash"],
  byTime: true,
  storedAt: "stored",
  rowBytes: 500,
  keys: ["wallet", "token_id", "label"],
};

const hex = (bytes: number, value: number): string => `0x${value.toString(16).padStart(bytes * 2, "0")}`;
/** Hashes whose first eight bytes repeat with every eighth number, and whose ends differ. */
const hash = (number: number): string =>
  `0x${(number % 8).toString(16).padStart(16, "0")}${number.toString(16).padStart(48, "0")}`;

/** A row made from four numbers, of which the first two identify it. */
export const fill = (ts: number, number: number, key: number, version = 0): PlainRow => ({
  ts,
  tx_hash: hash(Math.floor(number / 3)),
  order_hash: hash(number),
  wallet: hex(20, key),
  token_id: String(10n ** 70n + BigInt(key)),
  side: key % 2 === 0 ? "BUY" : "SELL",
  role: ["maker", "taker", "unknown"][number % 3] as string,
  match_kind: "mint",
  shares: version % 7 === 6 ? "-99999999999999.5" : String(version),
  usd: `${number}.25`,
  fee_usd: "0",
  block_number: ts * 2 + version,
  log_index: number,
  source: "rtds",
  label: key % 5 === 0 ? "" : `market ${key % 5}`,
  stored: ts * 1_000_000,
});

/** Numbered batches: each is of one second, over ten keys. */
export const BATCH_ROWS = 40;
export const numberedBatch = (number: number): PlainRow[] =>
  Array.from({ length: BATCH_ROWS }, (_, index) => fill(1000 + number, number * BATCH_ROWS + index, index % 10));
