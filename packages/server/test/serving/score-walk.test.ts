import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import { keepBoards } from "../../src/query/served/keep-reads.ts";
import { placedScores, scoreBoard } from "../../src/derivations/wallet-score/score-board.ts";
import { lastDaySql } from "../../src/definition/timestamp.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { walletScores } from "../../src/tables/wallet-scores.ts";
import { openServedQuery } from "../fixtures/open-served-query.ts";
import { openTestQuery, type Question } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { rankedScoresSql } from "../fixtures/ranked-scores-sql.ts";
import { scoreRow } from "../fixtures/score-rows.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";
import { scoreQuestions } from "../world/score-questions.ts";

const LAST = "2026-06-05";
const DAY = Date.parse(LAST) / 86_400_000;
const POOL = 600;
const WEIGHTS = [
  [0.3, 0.1, 0.25, 0.05, 0.3],
  [0, 0.148148148148, 0, 0.447761194, 0.4],
];
const random = seededRandom();
const now = (): number => Date.parse("2026-06-20T12:00:00Z");
const walletOf = (at: number): string => `0x${(0xabcd00 + at * 7919).toString(16).padStart(40, "0")}`;
/** One of few values, so that many are equal, or any value. */
const part = (at: number): number => (at % 3 === 0 ? Math.floor(random() * 5) / 4 : random());

const score = (at: number): InsertRow =>
  scoreRow(walletOf(at), LAST, {
    ...Object.fromEntries(["skill", "profit", "risk", "timing", "breadth"].map((one) => [`${one}_pct`, part(at)])),
    ...Object.fromEntries(["wash", "sybil", "farmer", "maker"].map((one) => [`${one}_factor`, part(at)])),
    score: 100 * part(at),
    pool: POOL,
    reasons: at % 2 === 0 ? [] : ["high_skill", "few_days"],
  });

/** Every fourth wallet has no activity; bought and gained amounts of the others often repeat. */
function dayOf(at: number): InsertRow[] {
  if (at % 4 === 0) return [];
  const gained = (at % 50) * 100 - 900 + (at % 3) / 1000;
  const day = `2026-06-0${1 + (at % 5)}`;
  return [
    walletDay(walletOf(at), day, {
      buys: at % 60,
      sells: 1,
      wins: at % 3,
      losses: at % 5 === 0 ? 0 : at % 4,
      bought_usd: at % 7 === 0 ? "0" : String((at % 20) * 50),
      realized_usd: gained.toFixed(6),
    }),
  ];
}

let store: OpenStore;
beforeAll(async () => {
  store = await openTestStore();
  const all = Array.from({ length: POOL }, (_, at) => at);
  await store.insert(walletScores, all.map(score));
  // Some wallets outside of the pool are active too.
  await store.insert(walletDays, [...all, POOL + 1, POOL + 2].flatMap(dayOf));
});
afterAll(() => store.close());

test("ranks and weighted scores equal the engine's bit for bit", async () => {
  const pool = await keepBoards(store, store.stampOf)(scoreBoard(DAY, undefined));
  for (const weights of [undefined, ...WEIGHTS]) {
    const bound = weights && bind("Array(Float64)", weights);
    const wanted = await store.rows<{ wallet: string; score: string; at: string }>(
      sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(h_score) AS score, toString(place) AS at FROM ${rankedScoresSql({ asOf: lastDaySql(DAY), category: undefined, weights: bound })} ORDER BY place`,
    );
    const found = placedScores(pool, weights).rows;
    expect(found.map(({ row, score: own, place }) => [row.key, own, place])).toEqual(
      wanted.map((row) => [row.wallet, Number(row.score), Number(row.at)]),
    );
    expect(found).toHaveLength(POOL);
  }
});

test("pages of a larger pool equal the engine's byte for byte, in all sort orders", async () => {
  const served = await openServedQuery(store, now);
  const query = openTestQuery(store, now);
  const wallets = [1, 2, 3, 4, 5, POOL + 1, POOL + 2, POOL + 3].map(walletOf);
  for (const question of scoreQuestions([LAST], [], wallets)) {
    let pagination: Question["pagination"] = { limit: 90, offset: 3 };
    for (let page = 0; page < 2 && pagination !== undefined; page += 1) {
      const requested: Question = { ...question, pagination };
      const [wanted, found] = [await query.answer(584, requested), await served.answer(584, requested)];
      expect(found.body.toString(), JSON.stringify(question)).toBe(wanted.body.toString());
      expect([found.hasMore, found.etag]).toEqual([wanted.hasMore, wanted.etag]);
      pagination = found.nextCursor === null ? undefined : { limit: 400, cursor: found.nextCursor };
    }
  }
  expect(served.failures).toEqual([]);
  expect(served.counts.engine).toBe(0);
  await served.close();
});
