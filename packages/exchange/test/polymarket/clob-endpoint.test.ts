import { OrderBooksSchema } from "@polymarket/bindings/clob";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PolymarketMarket } from "../../src/world/contract.ts";
import { openPaper, type Paper } from "./paper.ts";

interface Book {
  timestamp: string;
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

async function books(...tokens: string[]): Promise<Book[]> {
  const requested = tokens.map((token_id) => ({ token_id }));
  return (await paper.post<Book[]>("clob", "/books", requested)).body;
}

test("POST /books lists the best price of each side last", async () => {
  const [book] = await books(open.token_ids[0]);
  const bids = (book?.bids ?? []).map((level) => Number(level.price));
  const asks = (book?.asks ?? []).map((level) => Number(level.price));
  expect(bids).toEqual([...bids].sort((a, b) => a - b));
  expect(asks).toEqual([...asks].sort((a, b) => b - a));
  expect(bids.at(-1)).toBe((open.bestBid(0) ?? 0) / 10_000);
  expect(asks.at(-1)).toBe((open.bestAsk(0) ?? 0) / 10_000);
  expect((bids.at(-1) ?? 1) < (asks.at(-1) ?? 0)).toBe(true);
});

test("the official schema accepts a book, with its hash and timestamp in milliseconds", async () => {
  const [book] = await books(open.token_ids[1]);
  expect(book?.timestamp).toMatch(/^\d{13}$/);
  expect(OrderBooksSchema.parse([book])).toMatchObject([
    { tokenId: open.token_ids[1], conditionId: open.condition_id, negRisk: open.neg_risk },
  ]);
});

test("POST /books omits tokens without a book and rejects any other body with 400", async () => {
  const found = await books(open.token_ids[0], closed.token_ids[0], open.token_ids[1], open.condition_id);
  expect(OrderBooksSchema.parse(found).map((book) => book.assetId)).toEqual(open.token_ids);
  expect(await paper.post("clob", "/books", { token_id: open.token_ids[0] })).toMatchObject({
    status: 400,
    body: { error: "Invalid payload" },
  });
});
