import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bookReply } from "../../../src/connectors/kalshi/book/read-books.ts";
import { toLadder } from "../../../src/connectors/kalshi/book/ladder.ts";
import { noRecordings, readGolden, readRecorded } from "./recorded.ts";

describe.skipIf(noRecordings)(`recorded books${noRecordings ? `: ${noRecordings}` : ""}`, () => {
  it("treats a side that is null, absent or [] as empty", () => {
    const nothing = { orderbook_fp: { yes_dollars: [] } };
    for (const reply of [readGolden("orderbook"), nothing]) {
      const ladder = toLadder(bookReply.parse(reply));
      expect([ladder.levels("bids"), ladder.levels("asks"), ladder.best("bids"), ladder.best("asks")]).toEqual([
        [],
        [],
        null,
        null,
      ]);
    }
  });

  it("matches the quotes of the market recorded with it", () => {
    const sample = readRecorded("live_samples_2026/market_and_orderbook_KXELONMARS-99_ccxt.json");
    const { market } = z.looseObject({ market: z.looseObject({}) }).parse(sample);
    const ladder = toLadder(bookReply.parse(sample));
    expect(Number(ladder.best("bids"))).toBe(Number(market["yes_bid_dollars"]));
    expect(Number(ladder.best("asks"))).toBe(Number(market["yes_ask_dollars"]));
    expect(ladder.levels("bids")).toHaveLength(8);
    expect(ladder.levels("asks")).toHaveLength(18);
    expect(ladder.levels("bids").at(-1)).toEqual(["0.08", "444.32"]);
    expect(ladder.levels("asks").at(-1)).toEqual(["0.12", "1967.33"]);
    expect(ladder.levels("asks")[0]).toEqual(["0.99", "13553"]);
  });

  it("maps the hundred books of 2024, in cents", () => {
    const books = readRecorded("orderbooks_2024/orderbook_data.json") as Record<
      string,
      Record<string, [number, number][]>
    >[];
    let levels = 0;
    for (const [, book] of books.flatMap((one) => Object.entries(one))) {
      const { _yes: yes = [], _no: no = [] } = book;
      const ladder = toLadder(bookReply.parse({ orderbook: { yes, no } }));
      levels += yes.length + no.length;
      expect(ladder.levels("bids")).toEqual(yes.map(([price, size]) => [String(price / 100), String(size)]));
      expect(ladder.levels("asks")).toEqual(no.map(([price, size]) => [String((100 - price) / 100), String(size)]));
    }
    expect(books).toHaveLength(100);
    expect(levels).toBe(222);
  });
});
