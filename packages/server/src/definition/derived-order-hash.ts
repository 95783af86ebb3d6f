import { createHash } from "node:crypto";

/** The identifying fields of a fill without an order hash. `sharesMicro` in millionths. */
export type HashlessFill = {
  readonly tx_hash: string;
  readonly wallet: string;
  readonly token_id: string;
  readonly side: "BUY" | "SELL";
  readonly sharesMicro: bigint;
  /** Position, from 0, among the transaction's fills that are equal in all fields above. */
  readonly occurrence: number;
};

/**
 * A provisional order hash for fills from the Data API, which does not give one: SHA-256 of the fill's identifying
 * fields, as 0x-hex of 32 bytes. It is the same whenever the fill is read and by either version of the API.
 */
export function derivedOrderHash(fill: HashlessFill): string {
  const parts = [
    "almanac/polymarket/fill/1",
    fill.tx_hash.toLowerCase(),
    fill.wallet.toLowerCase(),
    fill.token_id,
    fill.side,
    String(fill.sharesMicro),
    String(fill.occurrence),
  ];
  return `0x${createHash("sha256").update(parts.join("|")).digest("hex")}`;
}
