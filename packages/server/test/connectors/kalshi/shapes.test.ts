import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bookReply } from "../../../src/connectors/kalshi/book/read-books.ts";
import { readBookFrame } from "../../../src/connectors/kalshi/book/book-frame.ts";
import { candleReply } from "../../../src/connectors/kalshi/candles/candle-reply.ts";
import { eventReply, marketReply } from "../../../src/connectors/kalshi/catalogue/replies.ts";
import { toTrade, tradeReply } from "../../../src/connectors/kalshi/tape/walk-tape.ts";
import { toMicro, toTimestamp } from "../../../src/connectors/kalshi/wire/values.ts";
import { microText } from "../../../src/definition/value-text.ts";

const quotes = { open_dollars: "0.1000", high_dollars: "0.1000", low_dollars: "0.0690", close_dollars: "0.0690" };
const GOOD = {
  market: {
    schema: marketReply,
    value: {
      ticker: "T-1",
      event_ticker: "T",
      status: "active",
      result: "",
      yes_bid_dollars: "0.0800",
      yes_ask_dollars: "0.1200",
      last_price_dollars: "0.1000",
      volume_fp: "1.00",
      volume_24h_fp: "0.50",
      open_interest_fp: "2.00",
    },
  },
  trade: {
    schema: tradeReply,
    value: {
      trade_id: "a",
      ticker: "T-1",
      created_time: "2026-09-26T22:52:42.7Z",
      count_fp: "8.94",
      yes_price_dollars: "0.7700",
      no_price_dollars: "0.2300",
      taker_outcome_side: "yes",
    },
  },
  candle: {
    schema: candleReply,
    value: {
      end_period_ts: 1790462280,
      price: quotes,
      yes_bid: quotes,
      yes_ask: quotes,
      volume_fp: "1.00",
      open_interest_fp: "2.00",
    },
  },
  event: {
    schema: eventReply,
    value: { event_ticker: "T", series_ticker: "S" },
  },
} as const;
const cases = Object.entries(GOOD);
/** Values that are invalid for every field of these replies. */
const wrong = fc.oneof(fc.constant({}), fc.constant([]), fc.constant(Number.NaN), fc.constant(-7.5));
const extra = fc.dictionary(
  fc.string({ minLength: 1 }).map((key) => `new_${key}`),
  fc.jsonValue(),
);

describe("reply shapes", () => {
  it.each(cases)("a %s with unknown extra fields is accepted", (_name, { schema, value }) => {
    fc.assert(fc.property(extra, (more) => schema.safeParse({ ...more, ...value }).success));
  });

  it.each(cases)("a %s with a missing or invalid field is refused", (_name, { schema, value }) => {
    const optional = new Set(["market_type"]);
    for (const field of Object.keys(value).filter((key) => !optional.has(key))) {
      const { [field as never]: _gone, ...rest } = value as Record<string, unknown>;
      expect(schema.safeParse(rest).success, `${field} left out`).toBe(false);
      fc.assert(fc.property(wrong, (bad) => !schema.safeParse({ ...value, [field]: bad }).success));
    }
  });

  it.each(["8.00", "1.01", "-0.01", "0.1234567", "NaN", "", "1e-2", " 0.5", "0,5", ".5"])(
    "%j is not a valid price",
    (price) => {
      expect(marketReply.safeParse({ ...GOOD.market.value, yes_bid_dollars: price }).success).toBe(false);
      expect(tradeReply.safeParse({ ...GOOD.trade.value, yes_price_dollars: price }).success).toBe(false);
    },
  );

  it("refuses a market or trade whose price field was renamed, instead of reading 0", () => {
    const { yes_bid_dollars: _gone, ...market } = GOOD.market.value;
    expect(marketReply.safeParse({ ...market, yes_bid_usd: "0.08" }).success).toBe(false);
    const { count_fp: _also, ...trade } = GOOD.trade.value;
    expect(tradeReply.safeParse({ ...trade, count_fixed: "1" }).success).toBe(false);
  });

  it("refuses a quantity below zero", () => {
    for (const [schema, value, field] of [
      [marketReply, GOOD.market.value, "volume_fp"],
      [marketReply, GOOD.market.value, "open_interest_fp"],
      [tradeReply, GOOD.trade.value, "count_fp"],
      [candleReply, GOOD.candle.value, "volume_fp"],
      [candleReply, { ...GOOD.candle.value, volume_fp: undefined }, "volume"],
    ] as const) {
      expect(schema.safeParse({ ...value, [field]: "0.00" }).success, field).toBe(true);
      expect(schema.safeParse({ ...value, [field]: "-1.00" }).success, field).toBe(false);
    }
  });

  it("refuses a candle with volume but no closing price, and accepts one without volume", () => {
    const candle = { ...GOOD.candle.value, price: { previous_dollars: "0.1000" } };
    expect(candleReply.safeParse(candle).success).toBe(false);
    expect(candleReply.safeParse({ ...candle, volume_fp: "0.00" }).success).toBe(true);
  });

  it("refuses a trade without a side or a timestamp", () => {
    const { taker_outcome_side: _gone, ...trade } = GOOD.trade.value;
    expect(tradeReply.safeParse(trade).success).toBe(false);
    expect(tradeReply.safeParse({ ...GOOD.trade.value, created_time: "0001-01-01T00:00:00Z" }).success).toBe(false);
    expect(tradeReply.safeParse({ ...GOOD.trade.value, created_time: "1970-01-01T00:00:00Z" }).success).toBe(false);
    expect(tradeReply.safeParse({ ...GOOD.trade.value, created_time: "2026-13-01T00:00:00Z" }).success).toBe(false);
  });

  it("prefers the new field name of the taker's side", () => {
    const { taker_outcome_side: _gone, ...trade } = GOOD.trade.value;
    const side = (more: object) => toTrade(tradeReply.parse({ ...trade, ...more }))["taker_side"];
    expect(side({ taker_outcome_side: "no", taker_side: "yes" })).toBe("no");
    expect(side({ taker_book_side: "ask", taker_side: "yes" })).toBe("no");
    expect(side({ taker_book_side: "bid" })).toBe("yes");
    expect(side({ taker_side: "no" })).toBe("no");
  });

  it("refuses malformed books and frames", () => {
    for (const bad of [
      {},
      { orderbook_fp: { yes_dollars: [["0.5"]] } },
      { orderbook_fp: { no_dollars: [["1.5", "1"]] } },
    ]) {
      expect(bookReply.safeParse(bad).success).toBe(false);
    }
    const delta = {
      type: "orderbook_delta",
      sid: 1,
      seq: 2,
      msg: { market_ticker: "T", price_dollars: "0.5", delta_fp: "1", side: "yes" },
    };
    expect(readBookFrame(JSON.stringify({ ...delta, sending_ts_ms: 1, new_field: 1 }))).toMatchObject(delta);
    for (const bad of [
      { ...delta, seq: "2" },
      { ...delta, msg: { ...delta.msg, side: "maybe" } },
      { ...delta, msg: {} },
      // Microseconds in place of milliseconds: a time that the store does not hold.
      { ...delta, sending_ts_ms: 1_795_000_000_000_000 },
      { ...delta, msg: { ...delta.msg, ts_ms: 1_795_000_000_000_000 } },
    ]) {
      expect(() => readBookFrame(JSON.stringify(bad))).toThrow(expect.objectContaining({ name: "ZodError" }));
    }
    expect(() => readBookFrame("{")).toThrow(expect.objectContaining({ name: "ZodError" }));
    expect(readBookFrame(JSON.stringify({ type: "something_new", msg: 1 }))).toBeUndefined();
  });
});

describe("exact numbers and timestamps", () => {
  it("convert between millionths and text without loss", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (micro) => toMicro(microText(micro)) === micro),
    );
    expect(["0.0800", "-54.00", "444.32", "0", "1.000000000"].map((text) => microText(toMicro(text)))).toEqual([
      "0.08",
      "-54",
      "444.32",
      "0",
      "1",
    ]);
    expect(() => toMicro("0.1234567")).toThrow(RangeError);
  });

  it("timestamps keep their digits and sort as text", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2015-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
        fc.nat(999_999),
        (date, micros) => {
          const second = date.toISOString().slice(0, 19);
          const digits = String(micros).padStart(6, "0");
          const cut = digits.replace(/0+$/, "");
          return toTimestamp(`${second}${cut === "" ? "" : `.${cut}`}Z`) === `${second}.${digits}Z`;
        },
      ),
    );
    expect(toTimestamp("2026-01-12T10:59:36.37315-04:00")).toBe("2026-01-12T14:59:36.373150Z");
    expect(toTimestamp("2026-01-12T14:59:36.123456789Z")).toBe("2026-01-12T14:59:36.123456Z");
    expect([toTimestamp("0001-01-01T00:00:00Z"), toTimestamp(null), toTimestamp(undefined)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
