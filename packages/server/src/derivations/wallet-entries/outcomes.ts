import { ByteReader } from "../../definition/bytes.ts";
import { microsAt } from "../../definition/micros.ts";

/** An outcome of a resolved market; amounts in millionths. */
export type Outcome = {
  /** Prices of both outcomes are derived from the first outcome's. */
  readonly isFirst: boolean;
  readonly resolvedAt: number;
  readonly closeAt: number;
  readonly tick: number | bigint;
  readonly payout: number;
  /** Its bytes as latin1. */
  readonly token: string;
  /** Columns that its rows have in common, in the engine's form, placed after the wallet's. */
  readonly head: Buffer;
};

/** The two outcomes of a market. */
export type Market = readonly [Outcome, Outcome];

/** Column offsets in a RowBinary row of `outcomesSql`, up to the category. */
const [CLOSE_AT, TICK_AT, PAYOUT_AT, HEAD_AT, TOKEN_AT, CONDITION_AT, CATEGORY_AT] = [4, 8, 16, 24, 26, 58, 98];
const PAYOUT_BYTES = 8;

export function marketsOf(bytes: Uint8Array): Market[] {
  const rows = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const markets: Market[] = [];
  let place = 0;
  const next = (isFirst: boolean): Outcome => {
    const from = place;
    const category = new ByteReader(rows, from + CATEGORY_AT);
    const length = category.varint();
    place = category.at + length + PAYOUT_BYTES;
    return {
      isFirst,
      resolvedAt: view.getUint32(from, true),
      closeAt: view.getUint32(from + CLOSE_AT, true),
      tick: microsAt(view, from + TICK_AT),
      payout: Number(microsAt(view, from + PAYOUT_AT)),
      token: rows.toString("latin1", from + TOKEN_AT, from + CONDITION_AT),
      head: rows.subarray(from + HEAD_AT, place),
    };
  };
  while (place < rows.length) markets.push([next(true), next(false)]);
  return markets;
}
