import { TradeSchema } from "@polymarket/bindings/data";
import { z } from "zod";
import { amountWire, conditionWire, hexWire, LAST_SECOND, outcomeWire, tokenWire, TOO_LARGE } from "../exact/wires.ts";
import { lowerTextIn, type RowReading, rowsOf, secondsIn, textIn } from "../../../definition/rows-of.ts";
import { venueBegan } from "../../../definition/vocabulary.ts";
import { toMicro } from "../exact/values.ts";

const MAX_ROWS = 1000;

/** A page of the Data API v2 with rows of one wire. Refuses a page whose `has_more` and `next_cursor` disagree. */
export const pageV2Wire = <T extends z.ZodType>(row: T, reading: RowReading) =>
  z
    .object({
      data: rowsOf(row, reading, MAX_ROWS),
      pagination: z
        .object({ has_more: z.boolean(), next_cursor: z.string().min(1).nullable() })
        .refine((page) => page.has_more === (page.next_cursor !== null), {
          path: ["next_cursor"],
          message: "has_more and next_cursor must agree",
        }),
    })
    .transform(({ data, pagination }) => ({ items: data, nextCursor: pagination.next_cursor ?? undefined }));

/** The key and time readable from a Data API trade that cannot be parsed. */
const tradeReading: RowReading = {
  at: secondsIn("timestamp"),
  key: { tx_hash: lowerTextIn("transaction_hash") },
  instrument: textIn("token_id"),
  group: textIn("transaction_hash"),
};

const tradeWire = z
  .object({
    wallet: hexWire(20),
    side: z.enum(["BUY", "SELL"]),
    tokenId: tokenWire,
    conditionId: conditionWire,
    size: amountWire,
    price: amountWire,
    timestamp: z
      .number()
      .int()
      .min(venueBegan("polymarket"), "before the venue began")
      .max(LAST_SECOND * 1000),
    slug: z.string().optional(),
    outcome: z.string().optional(),
    outcomeIndex: outcomeWire.optional(),
    transactionHash: hexWire(32),
  })
  .refine(({ price, size }) => Math.abs(Number(price) * Number(size)) < TOO_LARGE, {
    path: ["price"],
    message: "worth more than the store holds",
  })
  .transform((row): DataTrade => ({
    wallet: row.wallet,
    side: row.side,
    token_id: row.tokenId,
    condition_id: row.conditionId,
    size: row.size,
    price: row.price,
    seconds: Math.floor(row.timestamp / 1000),
    slug: row.slug ?? "",
    outcome: row.outcome ?? "",
    outcome_index: row.outcomeIndex,
    tx_hash: row.transactionHash,
  }));

/**
 * A page of `/v2/trades`. The official schema of a row reads 999 and "" as missing; it accepts any text as an id or a
 * decimal, so ours validates after it.
 */
export const tradesV2Wire = pageV2Wire(TradeSchema.transform((row): unknown => row).pipe(tradeWire), tradeReading);

/** A trade as reported by the Data API and RTDS. Decimals as text, time in Unix seconds (block time). */
export type DataTrade = {
  readonly wallet: string;
  readonly side: "BUY" | "SELL";
  readonly token_id: string;
  readonly condition_id: string;
  readonly size: string;
  readonly price: string;
  readonly seconds: number;
  readonly slug: string;
  readonly outcome: string;
  /** 0 or 1; undefined if unknown upstream (it writes 999). */
  readonly outcome_index: number | undefined;
  readonly tx_hash: string;
};

/** Key shared by the rows of one filled order in either feed. */
export function fillKey(trade: DataTrade): string {
  return `${trade.tx_hash}|${trade.wallet}|${trade.token_id}|${trade.side}|${toMicro(trade.size)}`;
}
