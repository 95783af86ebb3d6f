import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, sql } from "../../src/definition/sql.ts";
import { probabilisticSharpe } from "../../src/derivations/wallet-score/measures.ts";
import { SHARPE_PROBABILITY } from "../fixtures/sharpe-probability-sql.ts";
import { withColumns } from "../../src/derivations/wallet-window/board-sums-sql.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

async function bySql(returns: readonly number[]): Promise<number | null> {
  const series = sql`(SELECT ${bind("Array(Float64)", returns)} AS returns, toInt64(length(returns)) AS return_days)`;
  const [row] = await store.rows<{ sharpe_probability: number | null }>(
    sql`SELECT sharpe_probability FROM ${withColumns(series, SHARPE_PROBABILITY)}`,
  );
  return row?.sharpe_probability ?? null;
}

const same = async (returns: readonly number[]): Promise<void> => {
  const [found, wanted] = [await bySql(returns), probabilisticSharpe(Float64Array.from(returns))];
  if (wanted === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(wanted, 6);
};

test.each([
  ["no return", []],
  ["two", [0.1, -0.2]],
  ["returns that are all alike", [0.5, 0.5, 0.5, 0.5]],
  ["a steady gain", [0.1, 0.11, 0.1, 0.12]],
  ["one great gain among small losses", [-0.01, -0.02, 80, -0.01, -0.015]],
])("the probabilistic Sharpe ratio in SQL equals that of the score: %s", async (_name, returns) => same(returns));

test("the probabilistic Sharpe ratio in SQL equals that of the score for random series", async () => {
  const returns = fc.array(fc.integer({ min: -900, max: 3000 }), { minLength: 3, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(returns, (parts) => same(parts.map((part) => part / 1000))),
    { numRuns: 40, seed: 11 },
  );
});
