import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Requested } from "../../src/definition/coverage.ts";
import type { Answer } from "../../src/query/answer.ts";
import { readCursor, writeCursor } from "../../src/query/cursor.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { kalshiTrade, market, table } from "../fixtures/sample-rows.ts";
import { socialRows } from "../fixtures/social-rows.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await store.insert(table("polymarket_markets"), [market(1), market(2), market(3)]);
});
afterAll(() => store.close());

/** Walks pages an hour apart, of which the given ones are complete at the time of their request. */
async function walk(complete: readonly boolean[]): Promise<{ pages: Answer[]; requested: Requested[]; began: number }> {
  const began = Date.now();
  const pages: Answer[] = [];
  const requested: Requested[] = [];
  let now = began;
  const { answer } = openTestQuery(
    store,
    () => now,
    undefined,
    false,
    async (_tables, about) => {
      requested.push(about);
      const isWhole = complete[requested.length - 1] === true;
      return { complete: isWhole, from: null, to: null, gaps: [], reasons: isWhole ? [] : ["A stream is behind."] };
    },
  );
  while (pages.length < complete.length) {
    const cursor = pages.at(-1)?.nextCursor ?? undefined;
    pages.push(await answer(574, { pagination: { limit: 1, ...(cursor === undefined ? {} : { cursor }) } }));
    now += 3_600_000;
  }
  return { pages, requested, began };
}

const AFTER =
  "An earlier page of this walk was incomplete, and the walk omits rows stored since; start again without a cursor.";

test("requests coverage since the start of the walk for each later page", async () => {
  const { pages, requested, began } = await walk([true, true, true]);
  const since = new Date(began).toISOString();
  expect(requested.map((about) => about.began)).toEqual([undefined, since, since]);
  expect(pages.map(({ coverage }) => coverage.complete)).toEqual([true, true, true]);
});

test("a walk with an incomplete page is incomplete from then on", async () => {
  const { pages } = await walk([true, false, true]);
  expect(pages.map(({ coverage }) => coverage.reasons)).toEqual([[], ["A stream is behind."], [AFTER]]);
  const { pages: others } = await walk([false, true, true]);
  expect(others.map(({ coverage }) => [coverage.complete, coverage.reasons])).toEqual([
    [false, ["A stream is behind."]],
    [false, [AFTER]],
    [false, [AFTER]],
  ]);
});

const at = (index: number): string => `2026-09-26T22:52:1${index}.728Z`;

test("requests coverage since the last row for a page that others follow, and of the full range for the last page", async () => {
  await store.insert(table("kalshi_trades"), [1, 2, 3].map(kalshiTrade));
  const requested: Requested[] = [];
  const whole = { complete: true, from: null, to: null, gaps: [], reasons: [] };
  const { answer } = openTestQuery(store, Date.now, undefined, false, async (_tables, about) => {
    requested.push(about);
    return whole;
  });
  const params = { ticker: "KXMARS-1" };
  const first = await answer(573, { params, pagination: { limit: 2 } });
  await answer(573, { params, pagination: { limit: 2, cursor: first.nextCursor } });
  await answer(573, { params: { ...params, start_time: at(2) }, pagination: { limit: 2 } });
  const since = requested.map(({ from }) => from && new Date(from).toISOString());
  expect(since).toEqual([at(2), undefined, at(2)]);
});

test("requests coverage of the full window for each page of posts, since each row has figures of all of it", async () => {
  await store.insert(table("social_posts"), socialRows["social_posts"]?.() ?? []);
  const requested: Requested[] = [];
  const whole = { complete: true, from: null, to: null, gaps: [], reasons: [] };
  const { answer } = openTestQuery(store, Date.now, undefined, false, async (_tables, about) => {
    requested.push(about);
    return whole;
  });
  const params = { keywords: "hockey", as_of: "2025-10-09T10:00:00Z", hours_back: "12" };
  const { hasMore } = await answer(585, { params, pagination: { limit: 1 } });
  expect([hasMore, requested.map(({ from }) => from)]).toEqual([true, ["2025-10-08T22:00:00.000Z"]]);
});

test("reads a cursor written before walks recorded their start as beginning with its snapshot", () => {
  const secret = Buffer.from("test");
  const place = ["question", "1760000000000000", ["a", 1]] as const;
  const written = (value: unknown): string => {
    const payload = Buffer.from(JSON.stringify(value));
    const mac = createHmac("sha256", secret).update(payload).digest().subarray(0, 12);
    return Buffer.concat([mac, payload]).toString("base64url");
  };
  const [question, snapshot, after] = place;
  const state = { question, snapshot, after, began: 1_760_000_000_000, wasPartial: false };
  expect(readCursor(secret, written([1, ...place]))).toEqual(state);
  expect(readCursor(secret, written([1, ...place, "1", "2", "3"]))).toEqual(state);
  expect(readCursor(secret, written([2, state.began, false, [...place, "1", "2", "3"]]))).toEqual(state);
  const now = { ...state, wasPartial: true };
  expect(readCursor(secret, writeCursor(secret, now))).toEqual(now);
});
