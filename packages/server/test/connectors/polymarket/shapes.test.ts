import fc from "fast-check";
import type { z } from "zod";
import { describe, expect, it } from "vitest";
import { marketMessageWire } from "../../../src/connectors/polymarket/book/read-frame.ts";
import { blockWire, logWire } from "../../../src/connectors/polymarket/chain/logs.ts";
import { tradesV2Wire } from "../../../src/connectors/polymarket/data/trades-v2-wire.ts";
import { activityTradeWire } from "../../../src/connectors/polymarket/trades-rtds.ts";
import { readPage } from "../../../src/definition/read-page.ts";
import { microText } from "../../../src/definition/value-text.ts";
import { productMicro, toMicro } from "../../../src/connectors/polymarket/exact/values.ts";
import { decimalWire } from "../../../src/connectors/polymarket/exact/wires.ts";
import { eventPageWire } from "../../../src/connectors/polymarket/gamma/gamma-event-wire.ts";
import { marketPageWire } from "../../../src/connectors/polymarket/gamma/gamma-market-wire.ts";

const HASH = `0x${"a1".repeat(32)}`;
const OTHER_HASH = `0x${"a2".repeat(32)}`;
const WALLET = `0x${"b2".repeat(20)}`;
const TOKEN = "100621704916396384184205224105871827982844371725320616822883322969092312254616";

const market = {
  id: "7",
  question: "Q?",
  slug: "q",
  conditionId: HASH,
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.4", "0.6"]',
  clobTokenIds: `["${TOKEN}", "22"]`,
  closed: false,
  active: true,
  volume: "12.5",
  volume24hr: 3.25,
  negRisk: false,
  endDate: "2026-12-31T00:00:00Z",
  feeSchedule: { rate: 0.04 },
  tags: [{ label: "Sports", slug: "sports" }],
};
const event = {
  id: "9",
  slug: "e",
  title: "E",
  closed: true,
  active: true,
  volume: 5.5,
  markets: [{ id: "7" }],
  tags: [{ label: "x" }],
};
const tradeV2 = {
  proxy_wallet: WALLET,
  side: "BUY",
  token_id: TOKEN,
  condition_id: HASH,
  size: 10.5,
  price: 0.25,
  timestamp: 1_780_000_000,
  outcome_index: 1,
  transaction_hash: HASH,
};
const reported = {
  proxyWallet: WALLET,
  side: "SELL",
  asset: TOKEN,
  conditionId: HASH,
  size: 1,
  price: 0.5,
  timestamp: 1_780_000_000,
  outcomeIndex: 0,
  transactionHash: HASH,
};
const log = {
  address: WALLET,
  topics: [HASH],
  data: "0x",
  blockNumber: "0x1",
  blockHash: HASH,
  transactionHash: HASH,
  logIndex: "0x0",
};
const block = { number: "0x1", hash: HASH, parentHash: HASH, timestamp: "0x6a000000" };
const level = { price: "0.5", size: "10" };
const book = { market: HASH, asset_id: TOKEN, timestamp: "1780000000000", hash: "h", bids: [level], asks: [] };
const change = { ...level, asset_id: TOKEN, side: "BUY", hash: "h", best_bid: "0.5", best_ask: "0.6" };
const changes = { market: HASH, timestamp: "1780000000000", price_changes: [change] };
const print = { market: HASH, asset_id: TOKEN, price: "0.5", size: "3", side: "BUY", timestamp: "1780000000000" };

type Shape = {
  name: string;
  wire: z.ZodType;
  good: Record<string, unknown>;
  wrap: (item: unknown) => unknown;
  strict: readonly string[];
};

const page = { limit: 1, offset: 0, has_more: false, next_cursor: null };
const same = (item: unknown): unknown => item;
/** `strict`: fields that must be refused with any other type. */
const shapes: readonly Shape[] = [
  {
    name: "market",
    wire: marketPageWire,
    good: market,
    wrap: (item) => ({ markets: [item] }),
    strict: [
      "id",
      "question",
      "slug",
      "conditionId",
      "outcomes",
      "clobTokenIds",
      "closed",
      "active",
      "negRisk",
      "endDate",
      "feeSchedule",
      "tags",
    ],
  },
  {
    name: "event",
    wire: eventPageWire,
    good: event,
    wrap: (item) => ({ events: [item] }),
    strict: ["id", "slug", "title", "closed", "active", "markets", "tags"],
  },
  {
    name: "trade v2",
    wire: tradesV2Wire,
    good: tradeV2,
    wrap: (item) => ({ data: [item], pagination: page }),
    strict: ["proxy_wallet", "side", "token_id", "condition_id", "timestamp", "transaction_hash"],
  },
  {
    name: "trade of RTDS",
    wire: activityTradeWire,
    good: reported,
    wrap: same,
    strict: ["proxyWallet", "side", "asset", "conditionId", "timestamp", "transactionHash"],
  },
  { name: "log", wire: logWire, good: log, wrap: same, strict: Object.keys(log) },
  { name: "block", wire: blockWire, good: block, wrap: same, strict: Object.keys(block) },
  {
    name: "book",
    wire: marketMessageWire.book,
    good: book,
    wrap: same,
    strict: ["market", "asset_id", "timestamp", "bids", "asks"],
  },
  {
    name: "price change",
    wire: marketMessageWire.price_change,
    good: changes,
    wrap: same,
    strict: Object.keys(changes),
  },
  {
    name: "changed level",
    wire: marketMessageWire.price_change,
    good: change,
    wrap: (item) => ({ ...changes, price_changes: [item] }),
    strict: ["asset_id", "price", "size", "side"],
  },
  {
    name: "print",
    wire: marketMessageWire.last_trade_price,
    good: print,
    wrap: same,
    strict: ["market", "asset_id", "price", "side", "timestamp"],
  },
];

const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value);
/** Any JSON value but "" and null, which upstream writes for missing. */
const something = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant({ other: 1 }),
  fc.constant([5]),
  fc.constant("~ not of that kind ~"),
);

describe.each(shapes)("the shape of a $name", ({ wire, good, wrap, strict }) => {
  it("accepts a valid value, also with unknown fields", () => {
    expect(wire.safeParse(wrap(good)).success).toBe(true);
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().map((name) => `new ${name}`),
          fc.jsonValue(),
        ),
        (more) => wire.safeParse(wrap({ ...more, ...good })).success,
      ),
      { numRuns: 60 },
    );
  });

  it("refuses a field of another type", () => {
    fc.assert(
      fc.property(fc.constantFrom(...strict), something, (field, value) => {
        const isText = kindOf(good[field]) === "string" && kindOf(value) === "string";
        fc.pre(
          kindOf(value) !== kindOf(good[field]) ||
            (isText && !["question", "slug", "title", "endDate"].includes(field)),
        );
        return !wire.safeParse(wrap({ ...good, [field]: value })).success;
      }),
      { numRuns: 200 },
    );
  });
});

describe("a figure that the store cannot hold", () => {
  it.each([
    ["a market's volume", marketPageWire, [market, { ...market, id: "8", volume: "1000000000000" }], "markets"],
    ["a market's liquidity", marketPageWire, [market, { ...market, id: "8", liquidity: -1e21 }], "markets"],
    ["an event's volume", eventPageWire, [event, { ...event, id: "10", volume: "999999999999.9999999" }], "events"],
    ["a trade's size", tradesV2Wire, [tradeV2, { ...tradeV2, transaction_hash: OTHER_HASH, size: 1e12 }], "data"],
    ["a trade's worth", tradesV2Wire, [tradeV2, { ...tradeV2, transaction_hash: OTHER_HASH, price: 1e11 }], "data"],
    [
      "a trade's size below zero",
      tradesV2Wire,
      [tradeV2, { ...tradeV2, transaction_hash: OTHER_HASH, size: -1 }],
      "data",
    ],
    [
      "a trade's price below zero",
      tradesV2Wire,
      [tradeV2, { ...tradeV2, transaction_hash: OTHER_HASH, price: "-0.5" }],
      "data",
    ],
    [
      "a trade's time",
      tradesV2Wire,
      [tradeV2, { ...tradeV2, transaction_hash: OTHER_HASH, timestamp: 4_294_967_296 }],
      "data",
    ],
    [
      "a trade's time before the venue began",
      tradesV2Wire,
      [tradeV2, { ...tradeV2, transaction_hash: OTHER_HASH, timestamp: 0 }],
      "data",
    ],
  ] as const)("causes the row with %s to be refused, and no others", (_name, wire, rows, list) => {
    const body = { [list]: rows, ...(list === "data" ? { pagination: page } : {}) };
    expect(readPage(wire, body)).toMatchObject({ kind: "partial", refused: [{ position: `${list}[1]` }] });
  });

  it.each([
    ["a level's size", marketMessageWire.book, (size: string) => ({ ...book, bids: [{ ...level, size }] })],
    [
      "a changed level",
      marketMessageWire.price_change,
      (size: string) => ({ ...changes, price_changes: [{ ...change, size }] }),
    ],
    ["a print's size", marketMessageWire.last_trade_price, (size: string) => ({ ...print, size })],
  ] as const)("is refused as %s of the socket", (_name, wire, withSize) => {
    expect(wire.safeParse(withSize("999999999999.999")).success).toBe(true);
    expect(wire.safeParse(withSize("1000000000000")).success).toBe(false);
    expect(wire.safeParse(withSize("999999999999.9999999")).success).toBe(false);
  });

  it("has more than twelve digits before the point, and is refused in RTDS's trades too", () => {
    const most = { ...market, id: "8", volume: "999999999999.999" };
    expect(readPage(marketPageWire, { markets: [market, most] })).toMatchObject({ kind: "whole" });
    expect(activityTradeWire.safeParse(reported).success).toBe(true);
    expect(activityTradeWire.safeParse({ ...reported, timestamp: 4_294_967_296 }).success).toBe(false);
  });
});

describe("exact decimals", () => {
  const micros = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n });

  it("survive conversion to text and back", () => {
    fc.assert(fc.property(micros, (micro) => toMicro(microText(micro)) === micro));
    fc.assert(fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (units) => toMicro(units / 1e6) === BigInt(units)));
  });

  it("multiply without an intermediate float and round once", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 10n }), fc.bigInt({ min: 0n, max: 10n ** 15n }), (price, shares) => {
        const text = `${price / 10n ** 10n}.${String(price % 10n ** 10n).padStart(10, "0")}`;
        const exact = price * shares;
        const unit = 10n ** 10n;
        return productMicro(text, microText(shares)) === (exact + unit / 2n) / unit;
      }),
    );
    expect(productMicro(0.0864503644, 155.03)).toBe(13_402_400n);
    expect(toMicro("1e-7")).toBe(0n);
    expect(toMicro(5e-7)).toBe(1n);
    expect(toMicro(decimalWire.parse(5e-324))).toBe(0n);
    expect(toMicro("-0.0000005")).toBe(-1n);
    expect(() => toMicro("NaN")).toThrow(RangeError);
  });
});
