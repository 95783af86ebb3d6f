import { afterAll, beforeAll, expect, test } from "vitest";
import { roundsOf } from "../../src/derivations/market/market-rounds.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, market, table, tokenId } from "../fixtures/sample-rows.ts";
import { held } from "./held.ts";

const TOKEN = tokenId(0);

let store: Awaited<ReturnType<typeof openTestStore>>;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const markets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: hex(index + 1), token_a: "0A", token_b: "0B" }));
const sizes = async (count: number) => (await roundsOf(store, markets(count))).map(({ length }) => length);
const hold = (wallets: number) =>
  store.insert(
    table("wallet_token_days"),
    Array.from({ length: wallets }, (_, index) => held(index + 1, TOKEN, "1", "1")),
  );

test("puts as many markets into a round as fit into a URL if there are no holdings", async () => {
  expect(await sizes(0)).toEqual([]);
  expect(await sizes(7000)).toEqual([6000, 1000]);
});

test("puts fewer markets with many holdings into a round, but at least 1,500, in the given order", async () => {
  await store.insert(table("polymarket_markets"), [market(0)]);
  await hold(400);
  expect(await sizes(6000)).toEqual([2500, 2500, 1000]);
  expect((await roundsOf(store, markets(6000))).flat()).toEqual(markets(6000));
  await hold(2000);
  expect(await sizes(3100)).toEqual([1500, 1500, 100]);
});
