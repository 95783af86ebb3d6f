import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { FILL_START, fill, hex, market, table } from "../fixtures/sample-rows.ts";

const [ONE, OTHER] = [hex(1, 40), hex(2, 40)];
/** Fills of two wallets, four in each second. */
const FILLS = Array.from({ length: 12 }, (_, index) =>
  fill(index, { wallet: index % 2 === 0 ? ONE : OTHER, ts: FILL_START + Math.floor(index / 4) }),
);

let store: OpenStore;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store, () => Date.now());
  await store.insert(table("polymarket_fills"), FILLS);
  await store.insert(table("polymarket_markets"), [market(1), market(2), market(3), market(4)]);
});
afterAll(() => store.close());

type Row = Readonly<Record<string, unknown>>;

/** Reads all pages of a query by cursor; calls `between` after the first one. */
async function walk(agentId: number, params: Record<string, string>, limit: number, between = async () => {}) {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await query.answer(agentId, { params, pagination: { limit, ...(cursor ? { cursor } : {}) } });
    rows.push(...(JSON.parse(page.body.toString("utf8")) as Row[]));
    if (cursor === undefined) await between();
    cursor = page.nextCursor;
  }
  return rows;
}

const wallets = { proxy_wallet: `${ONE},${OTHER}` };

test("pages of rows that share a second add up to one large page, by cursor and by offset", async () => {
  const whole = await query.rows(556, { params: wallets, pagination: { limit: 100 } });
  expect(whole).toHaveLength(FILLS.length);
  for (const limit of [1, 3, 5]) {
    expect(await walk(556, wallets, limit)).toEqual(whole);
    const pages: Row[] = [];
    for (let offset = 0; offset < FILLS.length; offset += limit)
      pages.push(...(await query.rows(556, { params: wallets, pagination: { limit, offset } })));
    expect(pages).toEqual(whole);
  }
});

test("returns the rows of an id once if it is named twice", async () => {
  const once = await query.rows(556, { params: { proxy_wallet: ONE } });
  expect(await query.rows(556, { params: { proxy_wallet: `${ONE},${ONE}` } })).toEqual(once);
});

/** Moves the first market to the end and the last one to the beginning, and adds one in between. */
const change = async (): Promise<void> => {
  const changed = [
    market(1, { volume_total: "0.5" }),
    market(4, { volume_total: "5000" }),
    market(9, { volume_total: "998" }),
  ];
  await store.insert(table("polymarket_markets"), changed);
};
const slugsOf = (rows: readonly Row[]): unknown[] => rows.map((row) => row["slug"]);

test("a walk stays on the snapshot of its first page, whatever changes meanwhile", async () => {
  const before = slugsOf(await query.rows(574));
  expect(before).toHaveLength(4);
  expect(slugsOf(await walk(574, {}, 1, change))).toEqual(before);
});
