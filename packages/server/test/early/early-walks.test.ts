import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { fromDefinition } from "../../src/definition/sql.ts";
import { openStore } from "../../src/store/open-store.ts";
import { polymarketEarlyFills } from "../../src/tables/polymarket-early-fills.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, tokenId } from "../fixtures/sample-rows.ts";
import { legOf, legOfStored, read, told } from "./told-trades.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
let beside: Awaited<ReturnType<typeof openStore>>;
beforeAll(async () => {
  store = await openTestStore();
  // A process that only answers: nothing tells it what the other one stores.
  beside = await openStore({ address: store.address });
  const market = { condition_id: hex(77), outcome_index: 0, outcome: "Yes", slug: "rain-77" };
  await store.insert(polymarketTokens, [
    { ...market, token_id: tokenId(0) },
    { ...market, token_id: tokenId(1) },
  ]);
});
afterAll(async () => {
  await beside.close();
  await store.close();
});
const empty = async (): Promise<void> => {
  const everywhere = [polymarketEarlyFills.name, polymarketFills.name, ...Object.keys(polymarketFills.copies ?? {})];
  for (const name of everywhere) await store.run(fromDefinition(`TRUNCATE TABLE ${name}`));
};
beforeEach(empty);

/** One question for each sort order and way of reading it; every one is answered with every trade. */
const WAYS = [
  {},
  { proxy_wallet: Array.from({ length: 6 }, (_, index) => hex(1 + index, 40)).join(",") },
  { token_id: `${tokenId(0)},${tokenId(1)}` },
  { condition_id: hex(77) },
] as const;

const BATCHES = thoroughly(12, 5);

const early = (trade: number) => store.insert(polymarketEarlyFills, told(trade));
const count = (legs: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(legs, (leg) => leg)].map(([leg, alike]) => [leg, alike.length]));
const once = (trades: readonly number[]): Record<string, number> =>
  count(trades.flatMap((trade) => told(trade)).map(legOfStored));

test("at no moment both are answered, or neither, while rows give way", async () => {
  const queries = [openTestQuery(store), openTestQuery(beside)];
  const trades: number[] = [];
  let answered = 0;
  let giving = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const fresh = [0, 1, 2].map((place) => batch * 3 + place);
    for (const trade of fresh) await early(trade);
    trades.push(...fresh);
    // What was just told is known everywhere once this process's look at it is too old to be used.
    await expect.poll(async () => (await queries[1]?.rows(556))?.length, { timeout: 20_000 }).toBe(trades.length * 2);
    const storing = { isDone: false };
    const inserted = store.insert(
      polymarketFills,
      fresh.flatMap((trade) => read(trade, { seconds: (trade % 5) - 2 })),
    );
    const done = inserted.finally(() => (storing.isDone = true));
    for (let turn = 0; !storing.isDone || turn < 2; turn += 1) {
      const pages = await Promise.all(
        queries.flatMap((query) =>
          WAYS.map((params) => query.rows(556, { params, pagination: { limit: 1000 + ((turn * 16 + batch) % 9000) } })),
        ),
      );
      for (const rows of pages) {
        expect(count(rows.map(legOf))).toEqual(once(trades));
        const blocks = new Set(
          rows.filter((row) => fresh.includes(Number(row["size"]) - 10)).map((row) => row["block_number"] === null),
        );
        expect(blocks.size).toBe(1);
        if (blocks.has(true)) giving += 1;
        answered += 1;
      }
    }
    await done;
  }
  expect(answered).toBeGreaterThan(BATCHES * 2 * WAYS.length);
  expect(giving).toBeGreaterThan(0);
}, 120_000);

type Step = {
  readonly kind: "page" | "tell" | "read" | "begin_to_read";
  readonly trade: number;
  readonly seconds: number;
};
type Script = {
  /** Known before the walk begins: told early, or read. */
  readonly told: readonly number[];
  readonly stored: readonly number[];
  readonly limit: number;
  readonly params: (typeof WAYS)[number];
  readonly steps: readonly Step[];
};

const trade = fc.nat(11);
const script: fc.Arbitrary<Script> = fc.record({
  told: fc.uniqueArray(trade, { minLength: 1, maxLength: 10 }),
  stored: fc.uniqueArray(trade, { maxLength: 6 }),
  limit: fc.integer({ min: 1, max: 5 }),
  params: fc.constantFrom(...WAYS),
  steps: fc.array(
    fc.record({
      kind: fc.constantFrom("page" as const, "tell" as const, "read" as const, "begin_to_read" as const),
      trade,
      seconds: fc.integer({ min: -3, max: 3 }),
    }),
    { minLength: 4, maxLength: 25 },
  ),
});

/** The legs that a walk gives while the steps are taken between its pages. */
async function walk({ limit, params, stored, told: known, steps }: Script): Promise<readonly string[]> {
  const query = openTestQuery(store);
  const walked: string[] = [];
  const reading = new Map<number, Promise<unknown>>(stored.map((each) => [each, Promise.resolve()]));
  const at: { cursor?: string | null } = {};
  const page = async (): Promise<void> => {
    const pagination = { limit, ...(at.cursor ? { cursor: at.cursor } : {}) };
    const answer = await query.answer(556, { params, pagination });
    walked.push(...(JSON.parse(answer.body.toString("utf8")) as Record<string, unknown>[]).map(legOf));
    at.cursor = answer.nextCursor;
  };
  for (const { kind, trade: each, seconds } of steps) {
    if (kind === "page" && at.cursor !== null) await page();
    if (kind === "tell") await early(each);
    if (!kind.includes("read") || reading.has(each)) continue;
    if (at.cursor === undefined && !known.includes(each)) continue;
    reading.set(each, store.insert(polymarketFills, read(each, { seconds })));
    if (kind === "read") await reading.get(each);
  }
  while (at.cursor !== null) await page();
  await Promise.all(reading.values());
  return walked;
}

async function isWhole(given: Script): Promise<void> {
  await empty();
  for (const each of given.stored) await store.insert(polymarketFills, read(each));
  for (const each of given.told) await early(each);
  const walked = count(await walk(given));
  expect(Object.entries(walked).filter(([, times]) => times !== 1)).toEqual([]);
  expect(walked).toMatchObject(once([...new Set([...given.told, ...given.stored])]));
}

test("a walk by cursor gives every trade known at its start once, and none twice, whatever gives way meanwhile", async () => {
  await fc.assert(fc.asyncProperty(script, isWhole), { numRuns: thoroughly(20, 8) });
}, 240_000);
