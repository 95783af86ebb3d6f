import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createTokensWithoutMarket } from "../../src/ingest/tokens-without-market.ts";
import type { Store } from "../../src/store/store.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fillRow } from "./fill-rows.ts";

const START = Date.parse("2026-11-20T00:00:00Z") / 1000;
const HOUR_MS = 3_600_000;
const DAY = 86_400;

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
afterEach(() => vi.restoreAllMocks());

let filled = 0;
const fill = (token: string, at: number): Promise<unknown> =>
  store.insert(polymarketFills, [{ ...fillRow((filled += 1), at), token_id: token }]);
const list = (token: string): Promise<unknown> =>
  store.insert(polymarketTokens, [
    { token_id: token, condition_id: `0x${"ab".repeat(32)}`, outcome_index: 0, outcome: "Yes", slug: "a" },
  ]);

/** Looks as a service does whose venue is at a second; `looks` are the moments (Unix ms) from which stored fills were read. */
function lookout(tokensWithoutMarket = 10) {
  const looks: number[] = [];
  const venue = { second: START + 100 };
  const watched: Pick<Store, "rows"> = {
    rows: (statement, reading) => {
      const since = statement.values.find(({ type }) => type === "Int64");
      if (since !== undefined) looks.push(Number(since.value));
      return store.rows(statement, reading);
    },
  };
  const look = createTokensWithoutMarket(watched, () => venue.second * 1000, { tokensWithoutMarket, fillDays: 7 });
  return { look, looks, venue };
}

test("a token whose market is never listed is told again without its fills being read again", async () => {
  await fill("11", START);
  await fill("12", START + 10);
  const { look, looks, venue } = lookout();
  expect(await look()).toEqual(["12", "11"]);
  expect(await look()).toEqual(["12", "11"]);
  await list("12");
  await fill("13", START + 20);
  expect(await look()).toEqual(["13", "11"]);
  expect(looks.map((since) => since === 0)).toEqual([true, false, false]);
  await fill("11", START + 30);
  expect(await look()).toEqual(["11", "13"]);
  venue.second = START + 7 * DAY + 25;
  expect(await look()).toEqual(["11"]);
});

test("all fills are looked through once an hour, whatever was remembered", async () => {
  const { look, looks } = lookout();
  await look();
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + HOUR_MS + 1000);
  await look();
  await look();
  expect(looks.map((since) => since === 0)).toEqual([true, true, false]);
});

test("where there are more than are asked for, the rest is found once those are listed", async () => {
  const { look } = lookout(1);
  const first = await look();
  expect(first).toHaveLength(1);
  await list(first[0] as string);
  const second = await look();
  expect(second).toHaveLength(1);
  expect(second).not.toEqual(first);
});
