import {
  FetchMarketInfoResponseSchema,
  LastTradePriceSchema,
  MidpointSchema,
  OrderBookSchema,
  OrderBooksSchema,
  PricesSchema,
  SpreadSchema,
  TickSizeSchema,
} from "@polymarket/bindings/clob";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PolymarketMarket } from "../../src/world/contract.ts";
import { openPaper, type Paper } from "./paper.ts";

interface Book {
  bids: { price: string; size: string }[];
  asks: { price: string; size: string }[];
}

let paper: Paper;
let open: PolymarketMarket;
let closed: PolymarketMarket;
beforeAll(async () => {
  paper = await openPaper();
  const { markets } = paper.world.polymarket;
  const liquid = markets.find(
    (market) =>
      !market.closed && market.bestBid(0) !== null && market.bestAsk(0) !== null && market.matches().length > 20,
  );
  const done = markets.find((market) => market.resolved_ms !== null && market.matches().length > 20);
  if (liquid === undefined || done === undefined) throw new Error("the world has no such markets");
  open = liquid;
  closed = done;
});
afterAll(() => paper.served.close());

describe("/book", () => {
  test("the best of each side is the last", async () => {
    const { body } = await paper.get<Book>("clob", `/book?token_id=${open.token_ids[0]}`);
    const bids = body.bids.map((level) => Number(level.price));
    const asks = body.asks.map((level) => Number(level.price));
    expect(bids).toEqual([...bids].sort((a, b) => a - b));
    expect(asks).toEqual([...asks].sort((a, b) => b - a));
    expect(bids.at(-1)).toBe((open.bestBid(0) ?? 0) / 10_000);
    expect(asks.at(-1)).toBe((open.bestAsk(0) ?? 0) / 10_000);
    expect((bids.at(-1) ?? 1) < (asks.at(-1) ?? 0)).toBe(true);
  });

  test("the official schema accepts it, with the hash and the milliseconds", async () => {
    const { body } = await paper.get<Record<string, string>>("clob", `/book?token_id=${open.token_ids[1]}`);
    expect(body["timestamp"]).toMatch(/^\d{13}$/);
    expect(OrderBookSchema.parse(body)).toMatchObject({
      tokenId: open.token_ids[1],
      conditionId: open.condition_id,
      negRisk: open.neg_risk,
    });
  });

  test("a closed market has none", async () => {
    expect(await paper.get("clob", `/book?token_id=${closed.token_ids[0]}`)).toMatchObject({
      status: 404,
      body: { error: "No orderbook exists for the requested token id" },
    });
  });

  test("POST /books leaves out what has no book; GET /books is refused", async () => {
    const asked = [{ token_id: open.token_ids[0] }, { token_id: closed.token_ids[0] }, { token_id: open.token_ids[1] }];
    const { body } = await paper.post("clob", "/books", asked);
    expect(OrderBooksSchema.parse(body).map((book) => book.assetId)).toEqual(open.token_ids);
    expect((await paper.get("clob", `/books?token_ids=${open.token_ids[0]}`)).status).toBe(400);
  });
});

describe("quotes", () => {
  test("BUY is the best bid, SELL the best ask", async () => {
    const buy = await paper.get<{ price: string }>("clob", `/price?token_id=${open.token_ids[0]}&side=BUY`);
    const sell = await paper.get<{ price: string }>("clob", `/price?token_id=${open.token_ids[0]}&side=SELL`);
    expect(Number(buy.body.price)).toBe((open.bestBid(0) ?? 0) / 10_000);
    expect(Number(sell.body.price)).toBe((open.bestAsk(0) ?? 0) / 10_000);
    const { body } = await paper.post("clob", "/prices", [{ token_id: open.token_ids[0], side: "BUY" }]);
    expect(PricesSchema.parse(body)).toEqual({ [open.token_ids[0]]: { BUY: buy.body.price } });
  });

  test("middle, spread, last trade, tick size parse", async () => {
    const token = open.token_ids[0];
    const middle = MidpointSchema.parse((await paper.get("clob", `/midpoint?token_id=${token}`)).body);
    const spread = SpreadSchema.parse((await paper.get("clob", `/spread?token_id=${token}`)).body);
    expect(Number(middle.mid)).toBeCloseTo(((open.bestBid(0) ?? 0) + (open.bestAsk(0) ?? 0)) / 20_000, 10);
    expect(Number(spread.spread)).toBeCloseTo(((open.bestAsk(0) ?? 0) - (open.bestBid(0) ?? 0)) / 10_000, 10);
    expect(
      LastTradePriceSchema.parse((await paper.get("clob", `/last-trade-price?token_id=${token}`)).body),
    ).not.toBeNull();
    expect(TickSizeSchema.parse((await paper.get("clob", `/tick-size?token_id=${token}`)).body)).toBeDefined();
    expect((await paper.get("clob", `/neg-risk/${token}`)).body).toEqual({ neg_risk: open.neg_risk });
    const info = FetchMarketInfoResponseSchema.parse(
      (await paper.get("clob", `/clob-markets/${open.condition_id}`)).body,
    );
    expect(info.tokens.map((each) => each.assetId)).toEqual(open.token_ids);
  });

  test("a token never traded answers 0.5 and no side", async () => {
    const fresh = paper.world.polymarket.markets.find((market) => market.last_trade_price_e4 === null);
    if (fresh === undefined) return;
    expect((await paper.get("clob", `/last-trade-price?token_id=${fresh.token_ids[0]}`)).body).toEqual({
      price: "0.5",
      side: "",
    });
  });
});

describe("/markets", () => {
  interface Page {
    data: Record<string, unknown>[];
    next_cursor: string;
    limit: number;
    count: number;
  }

  test("walks everything, open or closed, to LTE=", async () => {
    const seen: string[] = [];
    let cursor = "";
    for (let pages = 0; cursor !== "LTE=" && pages < 500; pages += 1) {
      const { body } = await paper.get<Page>("clob", `/markets?next_cursor=${encodeURIComponent(cursor)}`);
      expect(body.count).toBe(body.data.length);
      seen.push(...body.data.map((market) => String(market["condition_id"])));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(paper.world.polymarket.markets.map((market) => market.condition_id));
    expect((await paper.get<Page>("clob", "/markets?next_cursor=MTAw")).body.data[0]?.["condition_id"]).toBe(seen[100]);
  });

  test("says who won, and stays active when closed", async () => {
    const { body } = await paper.get<Record<string, unknown>>("clob", `/markets/${closed.condition_id}`);
    const winners = (body["tokens"] as { winner: boolean }[]).map((token) => token.winner);
    const [yes, no] = closed.payout_numerators ?? [0, 0];
    expect(winners).toEqual([yes > no, no > yes]);
    expect(body).toMatchObject({ active: true, closed: true });
  });

  test("does not know a market in its first two minutes", async () => {
    for (let minutes = 0; minutes < 600; minutes += 1) {
      const newest = paper.world.polymarket.markets.at(-1);
      if (newest !== undefined && newest.created_ms > paper.world.reached() - 100_000) {
        expect((await paper.get("clob", `/markets/${newest.condition_id}`)).status).toBe(404);
        expect((await paper.get("gamma", `/markets/${newest.id}`)).status).toBe(200);
        paper.pass(130_000);
        expect((await paper.get("clob", `/markets/${newest.condition_id}`)).status).toBe(200);
        return;
      }
      paper.pass(60_000);
    }
    throw new Error("no market was made in ten hours");
  });
});

describe("/prices-history", () => {
  interface History {
    history: { t: number; p: number }[];
  }

  test("is on the grid, in seconds, and ends on the last trade", async () => {
    const end = Math.floor(paper.world.reached() / 1000);
    const path = `/prices-history?market=${open.token_ids[0]}&startTs=${end - 3600 * 6}&endTs=${end}&fidelity=10`;
    const { body } = await paper.get<History>("clob", path);
    expect(body.history.length).toBeGreaterThan(1);
    expect(body.history.every((point) => point.t % 600 === 0 && point.p > 0 && point.p < 1)).toBe(true);
  });

  test("refuses windows over 15 days and too fine a fidelity", async () => {
    const end = Math.floor(paper.world.reached() / 1000);
    const long = await paper.get<{ error: string }>(
      "clob",
      `/prices-history?market=${open.token_ids[0]}&startTs=${end - 16 * 86_400}&endTs=${end}`,
    );
    expect(long).toMatchObject({
      status: 400,
      body: { error: "invalid filters: 'startTs' and 'endTs' interval is too long" },
    });
    expect((await paper.get("clob", `/prices-history?market=${open.token_ids[0]}&interval=1w&fidelity=1`)).status).toBe(
      400,
    );
  });

  test("is empty for a resolved token with an interval, and not with explicit hours", async () => {
    const empty = await paper.get<History>(
      "clob",
      `/prices-history?market=${closed.token_ids[0]}&interval=max&fidelity=60`,
    );
    expect(empty.body).toEqual({ history: [] });
    const from = Math.floor(closed.created_ms / 1000);
    const path = `/prices-history?market=${closed.token_ids[0]}&startTs=${from}&endTs=${from + 86_400 * 3}&fidelity=60`;
    expect((await paper.get<History>("clob", path)).body.history.length).toBeGreaterThan(0);
  });
});

test("/time is seconds, /ok is OK", async () => {
  expect((await paper.get("clob", "/time")).body).toBe(Math.floor(paper.world.now() / 1000));
  expect((await paper.get("clob", "/ok")).body).toBe("OK");
});
