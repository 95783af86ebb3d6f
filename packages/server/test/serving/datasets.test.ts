import { expect, test } from "vitest";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/thoroughly.ts";
import { kalshiCandlesCase } from "./kalshi-candles.case.ts";
import { kalshiTradesCase } from "./kalshi-trades.case.ts";
import { polymarketActivityCase } from "./polymarket-activity.case.ts";
import { polymarketCandlesCase } from "./polymarket-candles.case.ts";
import { polymarketResolutionsCase } from "./polymarket-resolutions.case.ts";
import { polymarketTapeCase } from "./polymarket-tape.case.ts";
import { openOracle } from "./oracle-of.ts";
import { drawOf } from "./random-fills.ts";
import { walletDaysCase } from "./wallet-days.case.ts";

const ROUNDS = thoroughly(12, 4);
const QUESTIONS = thoroughly(60, 15);
/** After rows went, and of an index that was opened again. */
const QUESTIONS_AFTER = thoroughly(60, 6);
const PLENTY = 1e9;
const draw = drawOf(seededRandom());

test.each([
  ["kalshi-trades", kalshiTradesCase],
  ["kalshi-candles", kalshiCandlesCase],
  ["polymarket-candles", polymarketCandlesCase],
  ["polymarket-tape", polymarketTapeCase],
  ["polymarket-resolutions", polymarketResolutionsCase],
  ["polymarket-activity", polymarketActivityCase],
  ["wallet-days", walletDaysCase],
] as const)(
  "%s: an index that is followed answers what the engine answers, while rows come, come late and go",
  async (_name, caseOf) => {
    const made = caseOf(draw);
    const oracle = await openOracle(made);
    const { store, indexes } = oracle;
    try {
      await oracle.insert(0);
      oracle.open(PLENTY);
      await oracle.caughtUp();
      let [round, further] = [1, 0];
      for (; round < ROUNDS; round += 1) {
        await oracle.insert(round);
        const [before, pages] = [oracle.engineReads(), await oracle.walk(QUESTIONS)];
        further += pages - QUESTIONS;
        expect(oracle.engineReads() - before).toBe(0);
      }
      expect(further).toBeGreaterThan(0);
      // A walk goes on over rows that are stored meanwhile.
      await oracle.walk(5, () => oracle.insert((round += 1)));
      for (const { table } of made.tables) {
        const gone = fromDefinition(` WHERE cityHash64(${table.key.join(", ")}) % 7 = 0`);
        for (const name of [table.name, ...Object.keys(table.copies ?? {})])
          await store.alter(sql`DELETE FROM ${{ kind: "table", name }}${gone}`);
        indexes.get(table.name)?.changed("unknown");
      }
      await oracle.caughtUp();
      await oracle.walk(QUESTIONS_AFTER);
      await oracle.reopen(PLENTY);
      await oracle.insert(round + 1);
      await oracle.walk(QUESTIONS_AFTER);
      expect(oracle.failures).toEqual([]);
      // Of an index that is bounded the floor says what it has; the engine answers the rest.
      await oracle.reopen(20_000);
      await oracle.walk(QUESTIONS_AFTER);
    } finally {
      await oracle.close();
    }
  },
  240_000,
);
