import { afterAll, beforeAll, expect, test } from "vitest";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { kalshiCandlesCase } from "./kalshi-candles.case.ts";
import { kalshiTradesCase } from "./kalshi-trades.case.ts";
import { orderBooksCase } from "./order-books.case.ts";
import { polymarketActivityCase } from "./polymarket-activity.case.ts";
import { polymarketCandlesCase } from "./polymarket-candles.case.ts";
import { polymarketResolutionsCase } from "./polymarket-resolutions.case.ts";
import { polymarketTapeCase } from "./polymarket-tape.case.ts";
import { polymarketTransfersCase } from "./polymarket-transfers.case.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { openOracle } from "./oracle-of.ts";
import { drawOf } from "./random-fills.ts";
import { walletDaysCase } from "./wallet-days.case.ts";

const ROUNDS = thoroughly(12, 2);
const QUESTIONS = thoroughly(60, 2);
const OVERTAKEN = thoroughly(5, 1);
const PLENTY = 1e9;
const draw = drawOf(seededRandom());
let store: OpenStore;

// Each case has its own tables.
beforeAll(async () => void (store = await openTestStore()));
afterAll(() => store.close());

test.each([
  ["kalshi-trades", kalshiTradesCase],
  ["kalshi-candles", kalshiCandlesCase],
  ["polymarket-candles", polymarketCandlesCase],
  ["polymarket-tape", polymarketTapeCase],
  ["polymarket-resolutions", polymarketResolutionsCase],
  ["polymarket-activity", polymarketActivityCase],
  ["wallet-days", walletDaysCase],
  ["polymarket-transfers", polymarketTransfersCase],
  ["order-books", orderBooksCase],
] as const)(
  "%s: a followed index answers what the engine answers, while rows arrive, arrive late and are deleted",
  async (_name, caseOf) => {
    const made = caseOf(draw);
    const oracle = openOracle(store, made);
    const { indexes } = oracle;
    try {
      await oracle.insert(0);
      oracle.open(PLENTY);
      await oracle.caughtUp();
      let [round, further] = [1, 0];
      const walk = async (questions: number, between?: () => Promise<void>): Promise<void> => {
        further += (await oracle.walk(questions, between)) - questions;
      };
      for (; round < ROUNDS; round += 1) {
        await oracle.insert(round);
        const before = oracle.engineReads.length;
        await walk(QUESTIONS);
        // Compared together, since a failed read explains why the engine was queried.
        expect([oracle.failures, oracle.engineReads.slice(before)]).toEqual([[], []]);
      }
      // A walk continues over rows that are stored meanwhile.
      await walk(OVERTAKEN, () => oracle.insert((round += 1)));
      for (const { table } of made.tables) {
        const gone = fromDefinition(` WHERE cityHash64(${table.key.join(", ")}) % 7 = 0`);
        for (const name of [table.name, ...Object.keys(table.copies ?? {})])
          await store.alter(sql`DELETE FROM ${{ kind: "table", name }}${gone}`);
        indexes.get(table.name)?.changed("unknown");
      }
      await oracle.caughtUp();
      await walk(QUESTIONS);
      await oracle.reopen(PLENTY);
      await oracle.insert(round + 1);
      await walk(QUESTIONS);
      expect(oracle.failures).toEqual([]);
      expect(further).toBeGreaterThan(0);
      // The floor of a bounded index marks what it covers; the engine answers the rest.
      await oracle.reopen(20_000);
      await walk(QUESTIONS);
    } finally {
      await oracle.close();
    }
  },
);

test("polymarket-activity: a condition id of zeros, which conversions are stored with, matches none of them", async () => {
  const oracle = openOracle(store, polymarketActivityCase(draw));
  const found = async (params: Readonly<Record<string, string>>): Promise<unknown> => {
    const requested = { params: { ...params, is_inner: "BOTH" }, pagination: { limit: 1 }, format: "raw" };
    return JSON.parse((await oracle.checkPage(requested)).body.toString("utf8"));
  };
  try {
    for (let round = 0; round < 3; round += 1) await oracle.insert(round);
    oracle.open(PLENTY);
    await oracle.caughtUp();
    expect(await found({ kind: "conversion" })).toHaveLength(1);
    expect(await found({ condition_id: `0x${"0".repeat(64)}` })).toEqual([]);
    expect(oracle.failures).toEqual([]);
  } finally {
    await oracle.close();
  }
});
