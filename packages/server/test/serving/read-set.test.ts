import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, table, tokenId } from "../fixtures/sample-rows.ts";

const ANYONE = { mayRead: () => true, maxPage: 1_000, mode: "strict" } as const;
const fills = table("polymarket_fills");
const at = (index: number, wallet: string) => fill(index, { wallet, ts: FILL_START + index });
const [one, other] = [hex(1, 40), hex(2, 40)];
let store: OpenStore;
let query: Awaited<ReturnType<typeof openServedQuery>> | undefined;

beforeAll(async () => {
  store = await openTestStore();
  await store.insert(fills, [at(1, one), at(2, one), at(3, other)]);
});
afterAll(async () => {
  await query?.close();
  await store.close();
});

/** All tables count as unchanged, so that answers are cached. */
const opened = async () =>
  (query ??= await openServedQuery({ ...store, unchangedMs: () => 60_000 }, Date.now, { isAlone: true }));

const body = (wallet: string) => ({ agent_id: 556, params: { proxy_wallet: wallet }, pagination: { limit: 10 } });

/** Returns the row count of a wallet's newest page, and whether anything was read for it. */
async function requested(wallet: string): Promise<{ rows: number; isRead: boolean }> {
  const { counts, ask } = await opened();
  const before = counts.index;
  const { rowCount } = await ask(body(wallet), ANYONE, undefined);
  return { rows: rowCount, isRead: counts.index > before };
}

test("caches an answer until rows of its own key change, whatever else is stored in its table", async () => {
  for (const isRead of [true, true, false]) expect(await requested(one)).toEqual({ rows: 2, isRead });
  await store.insert(fills, [fill(4, { wallet: other, ts: FILL_START + 10 })]);
  await (await opened()).caughtUp();
  expect(await requested(one)).toEqual({ rows: 2, isRead: false });
  await store.insert(fills, [fill(5, { wallet: one, ts: FILL_START - 5 })]);
  await (await opened()).caughtUp();
  expect(await requested(one)).toEqual({ rows: 3, isRead: true });
  expect(await requested(one)).toEqual({ rows: 3, isRead: false });
});

test("returns an empty answer until the first row of its key is stored", async () => {
  const token_id = tokenId(77);
  const { ask, caughtUp } = await opened();
  const rows = async () => (await ask({ agent_id: 556, params: { token_id } }, ANYONE, undefined)).rowCount;
  for (let times = 0; times < 3; times += 1) expect(await rows()).toBe(0);
  await store.insert(fills, [fill(7, { wallet: hex(3, 40), token_id, ts: FILL_START + 30 })]);
  await caughtUp();
  expect(await rows()).toBe(1);
});

test("confirms the ETag of a repeated request without reading its rows again", async () => {
  const { counts, ask } = await opened();
  const { etag } = await ask(body(other), ANYONE, undefined);
  const hasIt = (answer: { readonly etag: string }): boolean => answer.etag === etag;
  const again = async (has: typeof hasIt) => {
    const before = counts.index;
    const answer = await ask(body(other), ANYONE, undefined, has);
    return { etag: answer.etag, rows: answer.body.length > 0, isRead: counts.index > before };
  };
  expect(await again(hasIt)).toEqual({ etag, rows: false, isRead: false });
  expect(await again(() => false)).toEqual({ etag, rows: true, isRead: true });
  await store.insert(fills, [fill(6, { wallet: other, ts: FILL_START + 20 })]);
  await (await opened()).caughtUp();
  const changed = await again(hasIt);
  expect(changed).toEqual({ etag: expect.not.stringMatching(etag), rows: true, isRead: true });
});
