import { createHash } from "node:crypto";

/** What a fill without an order hash is known by. `sharesMicro` in millionths. */
export type HashlessFill = {
  readonly tx_hash: string;
  readonly wallet: string;
  readonly token_id: string;
  readonly side: "BUY" | "SELL";
  readonly sharesMicro: bigint;
  /** Position among fills of the transaction that are alike in all of the above, from 0. */
  readonly occurrence: number;
};

/**
 * A stand-in for the order hash the Data API does not give: SHA-256 of what names the fill, as 0x-hex of 32 bytes.
 * The same fill gets the same hash whenever and by whichever feed it is read; both versions of the API agree.
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
