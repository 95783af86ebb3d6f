import { z } from "zod";
import { isoIn, rowsOf, textIn } from "../../../definition/rows-of.ts";
import { timestamp, name, pageCursor, amount, cents, contracts, dollars, eachUnder, quantity } from "../wire/values.ts";

/** The event fields that markets need. `category` is deprecated in favour of the series' but still sent. */
export const eventReply = z.looseObject({
  event_ticker: name,
  series_ticker: name,
  category: z.string().max(200).nullish(),
});

/** GET /events. */
export const eventsReply = z.looseObject({
  events: rowsOf(
    eventReply,
    {
      at: isoIn("last_updated_ts"),
      key: { event_ticker: textIn("event_ticker") },
      instrument: textIn("event_ticker"),
    },
    1000,
  ).nullable(),
  cursor: pageCursor,
});

const texts = z.string().max(20_000).nullish();

/**
 * A market object: today's fixed-point fields, or the cents and whole contracts of before 2026-03 (January 2026 replies
 * had both). A reply with neither is refused, so that a renamed field never becomes a price of 0.
 */
export const marketReply = z
  .looseObject({
    ticker: name,
    event_ticker: name,
    market_type: name.default("binary"),
    title: texts,
    yes_sub_title: texts,
    status: name,
    result: z.string().max(32),
    yes_bid_dollars: dollars.optional(),
    yes_ask_dollars: dollars.optional(),
    last_price_dollars: dollars.optional(),
    settlement_value_dollars: amount.nullish(),
    volume_fp: quantity.optional(),
    volume_24h_fp: quantity.optional(),
    open_interest_fp: quantity.optional(),
    yes_bid: cents.optional(),
    yes_ask: cents.optional(),
    last_price: cents.optional(),
    settlement_value: cents.nullish(),
    volume: contracts.optional(),
    volume_24h: contracts.optional(),
    open_interest: contracts.optional(),
    created_time: timestamp.nullish(),
    updated_time: timestamp.nullish(),
    open_time: timestamp.nullish(),
    close_time: timestamp.nullish(),
    expiration_time: timestamp.nullish(),
    latest_expiration_time: timestamp.nullish(),
    settlement_ts: timestamp.nullish(),
  })
  .superRefine(
    eachUnder([
      ["yes_bid_dollars", "yes_bid"],
      ["yes_ask_dollars", "yes_ask"],
      ["last_price_dollars", "last_price"],
      ["volume_fp", "volume"],
      ["volume_24h_fp", "volume_24h"],
      ["open_interest_fp", "open_interest"],
    ]),
  );

export type MarketReply = z.output<typeof marketReply>;

/** GET /markets and /historical/markets. */
export const marketsReply = z.looseObject({
  markets: rowsOf(
    marketReply,
    { at: isoIn("updated_time"), key: { ticker: textIn("ticker") }, instrument: textIn("ticker") },
    5000,
  ).nullable(),
  cursor: pageCursor,
});
