import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  eventReply,
  eventsReply,
  marketReply,
  marketsReply,
} from "../../../src/connectors/kalshi/catalogue/replies.ts";
import { toMarket } from "../../../src/connectors/kalshi/catalogue/walk-markets.ts";
import { kalshiMarkets } from "../../../src/tables/kalshi-markets.ts";
import { insertable } from "./insertable.ts";
import { noRecordings, readGolden, readRecorded } from "./recorded.ts";

const facts = { series_ticker: "KXELONMARS", category: "World" };
const received = Date.UTC(2026, 0, 12);

describe.skipIf(noRecordings)(`recorded catalogue${noRecordings ? `: ${noRecordings}` : ""}`, () => {
  it("maps the markets of January 2026, prefers dollars to cents, and maps empty sides to null", () => {
    const reply = marketsReply.parse(readGolden("markets_list"));
    const rows = (reply.markets ?? []).map((market) => toMarket(market, undefined, received));
    expect(rows).toHaveLength(5);
    for (const row of rows) {
      expect(Object.keys(row).sort()).toEqual(insertable(kalshiMarkets));
      // These combos show yes_bid 0 and yes_ask 0: both sides are empty, and nothing was ever traded.
      expect(row).toMatchObject({ yes_bid: null, yes_ask: null, last_price: null, volume: "0", series_ticker: "" });
      expect(row).toMatchObject({ result: null, settlement_value: null, settled_time: null });
    }
    expect(rows[0]).toMatchObject({
      created_time: "2026-01-12T22:08:10.446961Z",
      close_time: "2026-01-27T01:15:00.000000Z",
      updated_at: "2026-01-12T00:00:00.000000Z",
    });
  });

  it("reads Go's zero time as null", () => {
    const reply = z.looseObject({ event: eventReply, markets: z.array(marketReply) }).parse(readGolden("event_single"));
    const [market] = reply.markets;
    expect(market?.created_time).toBe("0001-01-01T00:00:00Z");
    expect(toMarket(market!, facts, received)).toMatchObject({
      ticker: "KXELONMARS-99",
      created_time: null,
      last_price: "0.06",
      yes_bid: "0.06",
      yes_ask: "0.07",
      open_interest: "13679",
      series_ticker: "KXELONMARS",
      category: "World",
      close_time: "2099-08-01T04:59:00.000000Z",
    });
  });

  it("maps the single market, and reads the events of markets", () => {
    const { market } = z.looseObject({ market: marketReply }).parse(readGolden("market_single"));
    expect(toMarket(market, undefined, received)).toHaveProperty("ticker", market.ticker);
    for (const name of ["events_list", "events_multivariate_list"]) {
      const { events } = eventsReply.parse(readGolden(name));
      expect(events).toHaveLength(5);
      for (const event of events ?? []) expect(event.event_ticker.startsWith(event.series_ticker)).toBe(true);
    }
  });

  it("maps current market objects", () => {
    const mars = z
      .looseObject({ market: marketReply })
      .parse(readRecorded("live_samples_2026/market_and_orderbook_KXELONMARS-99_ccxt.json"));
    expect(toMarket(mars.market, facts, received)).toMatchObject({
      yes_bid: "0.08",
      yes_ask: "0.12",
      last_price: "0.1",
      volume: "94884.62",
      volume_24h: "19.74",
      open_interest: "32746.17",
      updated_at: "2026-04-09T09:31:16.616867Z",
      title: "Will Elon Musk visit Mars before Aug 1, 2099?",
    });
    const colony = marketsReply.parse(readRecorded("live_samples_2026/markets_subpenny_KXCOLONIZEMARS-50_ccxt.json"));
    expect(toMarket(colony.markets![0]!, undefined, received)).toMatchObject({ yes_bid: "0.163", yes_ask: "0.195" });
  });

  it("accepts the trimmed events and refuses their trimmed markets, which lack a price", () => {
    const sample = readRecorded("live_samples_2026/events_nested_markets_trimmed_2026-09.json");
    const { events } = z.looseObject({ events: z.array(eventReply) }).parse(sample);
    expect(events.map((event) => event.series_ticker)).toEqual(["KXNFLSPREAD", "KXNFLTOTAL", "KXCS2GAME"]);
    for (const event of events) {
      for (const market of z.array(z.unknown()).parse(event["markets"])) {
        expect(marketReply.safeParse(market).success).toBe(false);
      }
    }
  });

  it("maps the markets of 2024, in cents", () => {
    const groups = readRecorded("orderbooks_2024/market_data.json.gz") as Record<string, Record<string, unknown>[]>[];
    const markets = groups.flatMap((group) => Object.values(group).flat()).map(unprefixed);
    const rows = markets.map((market) => toMarket(marketReply.parse(market), undefined, received));
    expect(rows).toHaveLength(291);
    const climate = rows.find((row) => row["ticker"] === "EUCLIMATE-2030");
    expect(climate).toMatchObject({ yes_bid: "0.35", yes_ask: "0.44", last_price: "0.35", volume: "39", title: "" });
    for (const [index, row] of rows.entries()) {
      const bid = Number(markets[index]!["yes_bid"]);
      expect(row["yes_bid"] === null ? 0 : Number(row["yes_bid"]) * 100).toBeCloseTo(bid === 100 ? 0 : bid, 6);
    }
    const settled = rows.filter((row) => row["status"] === "finalized" && row["result"] !== null);
    for (const row of settled) expect(row["settlement_value"]).toBe(row["result"] === "yes" ? "1" : "0");
  });
});

function unprefixed(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.replace(/^_/, ""), one]));
}
