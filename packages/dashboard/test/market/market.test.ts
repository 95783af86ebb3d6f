import { describe, expect, test } from "vitest";
import { isIdle } from "../../../server/src/definition/param.ts";
import { kalshiMarketsDataset } from "../../../server/src/datasets/kalshi-markets.ts";
import { polymarketMarketsDataset } from "../../../server/src/datasets/polymarket-markets.ts";
import { candlesOf } from "../../src/pages/market/candles-of.ts";
import { happeningsOf, marksOf } from "../../src/pages/market/happenings.ts";
import { talkRangeOf } from "../../src/pages/market/talk-range.ts";
import { searchedWords, whereTo } from "../../src/pages/search/where-to.ts";

const row = { open: "0.380000", high: "0.4", low: "0.33", close: "0.36", volume: "9601.420000", at: 60 };

test("candlesOf skips buckets with quotes alone and keeps the exact texts", () => {
  const quotesOnly = { ...row, open: null, high: null, low: null, close: null, at: 120 };
  expect(candlesOf([row, quotesOnly], ({ at }) => at)).toEqual([
    {
      time: 60,
      open: 0.38,
      high: 0.4,
      low: 0.33,
      close: 0.36,
      volume: 9601.42,
      texts: { open: "0.380000", high: "0.4", low: "0.33", close: "0.36", volume: "9601.420000" },
    },
  ]);
});

describe("jumps and posts of a market", () => {
  const jump = {
    jump_time: "2026-11-22T08:00:00Z",
    token_id: "1",
    price_before: "0.1",
    price_after: "0.2",
    change_pct: "1000.00",
    direction: "up",
    volume: "1",
    trade_count: 1,
    reverted: null,
    posts_near: null,
  };
  const post = {
    id: "9",
    content: "<img src=x onerror=alert(1)>",
    username: "one",
    url: "",
    indexed_at: "2026-11-22T08:30:00.500Z",
    source: "x",
    sentiment: null,
    stance: "none",
  };
  const begin = Date.parse("2026-11-22T08:00:00Z") / 1000;
  test("are limited to the range, sorted newest first, and turned into marks of their kinds", () => {
    const all = happeningsOf([jump, { ...jump, jump_time: "2026-11-22T07:00:00Z" }], [post], begin);
    expect(all.map(({ kind }) => kind)).toEqual(["post", "jump"]);
    expect(marksOf(all).map(({ kind, text, time }) => [kind, text, time - begin])).toEqual([
      ["post", "one", 1800],
      ["up", "1,000.00 %", 0],
    ]);
  });
});

test("whereTo tells identifiers from words", () => {
  const wallet = `0x${"Ab".repeat(20)}`;
  expect(whereTo(` ${wallet} `)).toBe(`/wallets/${wallet.toLowerCase()}`);
  expect(whereTo(`0x${"0f".repeat(32)}`)).toBe(`/markets/polymarket/0x${"0f".repeat(32)}`);
  expect(whereTo("1".repeat(77))).toBe(`/books/polymarket/${"1".repeat(77)}`);
  expect(whereTo("kings vs wolves")).toBeUndefined();
  expect(whereTo("0xabc")).toBeUndefined();
});

test("talkRangeOf requests no more buckets than a page has rows, as the newest would be missing", () => {
  expect(talkRangeOf("1y", 1000)).toEqual({ interval: "1d", hours: 8760, isCut: false });
  expect(talkRangeOf("1y", 200)).toEqual({ interval: "1d", hours: 199 * 24, isCut: true });
  expect(talkRangeOf("1w", 200)).toEqual({ interval: "1h", hours: 168, isCut: false });
});

test("searchedWords are read as words by the catalogue, never as a list of slugs", () => {
  const param = polymarketMarketsDataset.params["market_slug"];
  for (const text of ["Spain, France", "spain,france", "{spain,france}"]) {
    const parsed = param?.parse(searchedWords(text));
    expect(parsed?.ok === true && param?.items?.(parsed.value), text).toBe(0);
  }
  expect(searchedWords("kings vs wolves")).toBe("kings vs wolves");
});

test.each([polymarketMarketsDataset.params["market_slug"], kalshiMarketsDataset.params["title"]])(
  "searchedWords are never read as no filter",
  (param) => {
    for (const text of ["ALL", " all", "all,", "{ALL}"])
      expect(param && isIdle(param, searchedWords(text)), text).toBe(false);
  },
);

test("searchedWords are empty for a text without words, as of a page without a search", () => {
  for (const text of [",", "???", " – "]) expect(searchedWords(text), text).toBe("");
});
