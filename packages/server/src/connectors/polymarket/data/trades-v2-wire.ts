import { TradeSchema } from "@polymarket/bindings/data";
import { z } from "zod";
import { conditionWire } from "../exact/condition-wire.ts";
import { decimalWire } from "../exact/decimal-wire.ts";
import { hexWire } from "../exact/hex-wire.ts";
import { LAST_SECOND } from "../exact/second-wire.ts";
import { tokenWire } from "../exact/token-wire.ts";
import type { DataTrade } from "./data-trade.ts";
import { pageV2Wire } from "./page-v2-wire.ts";
import { keyOf } from "../../../definition/key-of.ts";
import { rawText } from "../../../definition/raw-text.ts";
import type { RowReading } from "../../../definition/rows-of.ts";

/** What a row of the Data API's trades says where it cannot be parsed. */
const tradeReading: RowReading = {
  at: (raw) => {
    const seconds = rawText(raw["timestamp"]);
    return seconds === undefined ? undefined : Number(seconds) * 1000;
  },
  key: (raw) => keyOf("tx_hash", rawText(raw["transaction_hash"])?.toLowerCase()),
  instrument: (raw) => rawText(raw["token_id"]),
  group: (raw) => rawText(raw["transaction_hash"]),
};

const tradeWire = z
  .object({
    wallet: hexWire(20),
    side: z.enum(["BUY", "SELL"]),
    tokenId: tokenWire,
    conditionId: conditionWire,
    size: decimalWire,
    price: decimalWire,
    timestamp: z
      .number()
      .int()
      .min(0)
      .max(LAST_SECOND * 1000),
    slug: z.string().optional(),
    outcome: z.string().optional(),
    outcomeIndex: z.number().int().min(0).max(254).optional(),
    transactionHash: hexWire(32),
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
 * A page of `/v2/trades`. The official schema of a row reads 999 and "" as missing; it takes any text for an id or a
 * decimal, so ours stands behind it.
 */
export const tradesV2Wire = pageV2Wire(TradeSchema.transform((row): unknown => row).pipe(tradeWire), tradeReading);
