import { z } from "zod";
import { rawMoment } from "../../../definition/raw-moment.ts";
import { rawText } from "../../../definition/raw-text.ts";
import { rowsOf } from "../../../definition/rows-of.ts";
import { keyOf } from "../../../definition/key-of.ts";
import { toMoment } from "../wire/to-moment.ts";
import { amount, cents, contracts, dollars, eachUnder, moment, name, pageCursor } from "../wire/kinds.ts";

const outcome = z.enum(["yes", "no"]);

/** A trade of either tier. `taker_side` is deprecated and may leave; whole contracts and cents are of before 2026-03. */
export const tradeReply = z
  .looseObject({
    trade_id: name,
    ticker: name,
    created_time: moment.refine((text) => toMoment(text) !== null, "a trade without a moment"),
    count_fp: amount.optional(),
    count: contracts.optional(),
    yes_price_dollars: dollars.optional(),
    yes_price: cents.optional(),
    no_price_dollars: dollars.optional(),
    no_price: cents.optional(),
    taker_outcome_side: outcome.optional(),
    taker_book_side: z.enum(["bid", "ask"]).optional(),
    taker_side: outcome.optional(),
    is_block_trade: z.boolean().default(false),
  })
  .superRefine(
    eachUnder([
      ["count_fp", "count"],
      ["yes_price_dollars", "yes_price"],
      ["no_price_dollars", "no_price"],
    ]),
  )
  .refine((trade) => trade.taker_outcome_side ?? trade.taker_book_side ?? trade.taker_side, {
    path: ["taker_outcome_side"],
    message: "no field says which side the taker took",
  });

export type TradeReply = z.output<typeof tradeReply>;

/** GET /markets/trades and /historical/trades. */
export const tradesReply = z.looseObject({
  trades: rowsOf(
    tradeReply,
    {
      at: (raw) => rawMoment(raw["created_time"]),
      key: (raw) => keyOf("trade_id", raw["trade_id"]),
      instrument: (raw) => rawText(raw["ticker"]),
    },
    5000,
  ).nullable(),
  cursor: pageCursor,
});
