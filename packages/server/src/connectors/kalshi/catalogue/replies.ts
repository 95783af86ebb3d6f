import { z } from "zod";
import { listOf } from "../../../definition/list-of.ts";
import { keyOf } from "../../../definition/key-of.ts";
import { rawMoment } from "../../../definition/raw-moment.ts";
import { rawText } from "../../../definition/raw-text.ts";
import { rowsOf } from "../../../definition/rows-of.ts";
import { moment, name, pageCursor, amount, cents, contracts, dollars, eachUnder } from "../wire/kinds.ts";

/** An event object. `category` is deprecated in favour of the series' but still sent. */
export const eventReply = z.looseObject({
  event_ticker: name,
  series_ticker: name,
  title: z.string().max(20_000),
  sub_title: z.string().max(20_000).nullish(),
  category: z.string().max(200).nullish(),
  mutually_exclusive: z.boolean(),
  strike_date: moment.nullish(),
  last_updated_ts: moment.nullish(),
});

export type EventReply = z.output<typeof eventReply>;

/** GET /events. */
export const eventsReply = z.looseObject({
  events: rowsOf(
    eventReply,
    {
      at: (raw) => rawMoment(raw["last_updated_ts"]),
      key: (raw) => keyOf("event_ticker", raw["event_ticker"]),
      instrument: (raw) => rawText(raw["event_ticker"]),
    },
    1000,
  ).nullable(),
  cursor: pageCursor,
});

const texts = z.string().max(20_000).nullish();

/**
 * A market object: today's fixed-point fields, or the cents and whole contracts of before 2026-03 (both stood side by
 * side in January 2026). An answer with neither is refused, so that a renamed field never becomes a price of 0.
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
    volume_fp: amount.optional(),
    volume_24h_fp: amount.optional(),
    open_interest_fp: amount.optional(),
    yes_bid: cents.optional(),
    yes_ask: cents.optional(),
    last_price: cents.optional(),
    settlement_value: cents.nullish(),
    volume: contracts.optional(),
    volume_24h: contracts.optional(),
    open_interest: contracts.optional(),
    created_time: moment.nullish(),
    updated_time: moment.nullish(),
    open_time: moment.nullish(),
    close_time: moment.nullish(),
    expiration_time: moment.nullish(),
    latest_expiration_time: moment.nullish(),
    settlement_ts: moment.nullish(),
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
    {
      at: (raw) => rawMoment(raw["updated_time"]),
      key: (raw) => keyOf("ticker", raw["ticker"]),
      instrument: (raw) => rawText(raw["ticker"]),
    },
    5000,
  ).nullable(),
  cursor: pageCursor,
});

/** A series object. `fee_type` is not a closed list; lists may be JSON null. */
export const seriesReply = z.looseObject({
  ticker: name,
  title: z.string().max(20_000),
  category: z.string().max(200),
  frequency: z.string().max(200),
  tags: listOf(z.string().max(500), 1000).nullish(),
  fee_type: z.string().max(200),
  fee_multiplier: z.number().min(0).max(1_000_000).nullish(),
  last_updated_ts: moment.nullish(),
});

export type SeriesReply = z.output<typeof seriesReply>;

/** GET /series: all of them in one answer, it has no pages. */
export const seriesListReply = z.looseObject({
  series: rowsOf(
    seriesReply,
    {
      at: (raw) => rawMoment(raw["last_updated_ts"]),
      key: (raw) => keyOf("series_ticker", raw["ticker"]),
      instrument: (raw) => rawText(raw["ticker"]),
    },
    100_000,
  ).nullable(),
});
