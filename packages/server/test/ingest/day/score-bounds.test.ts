import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../src/definition/sql.ts";
import { bootstrapScore } from "../../../src/derivations/wallet-score/bootstrap-score.ts";
import { DRAWABLE, drawBounds, type Drawable } from "../../../src/derivations/wallet-score/draw-bounds.ts";
import { createPoolGatherer, rankedIn } from "../../../src/derivations/wallet-score/gather-pools.ts";
import { penalties } from "../../../src/derivations/wallet-score/score-factors.ts";
import { walletScoresFromEntries } from "../../../src/derivations/wallet-scores.ts";
import { runDays } from "../../../src/ingest/day/run-days.ts";
import { readEngineOf } from "../../../src/query/query-engine.ts";
import { openServedQuery } from "../../fixtures/open-served-query.ts";
import { openTestQuery, type Question } from "../../fixtures/open-test-query.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { DAY, storeScoredWorld, WALLETS } from "../../fixtures/scored-world.ts";
import { readSamples } from "../../fixtures/read-samples.ts";
import { manualClock } from "../manual-clock.ts";

const NEXT = "2026-05-21";
const now = (): number => Date.parse("2026-05-22T10:00:00Z");
type Row = Readonly<Record<string, unknown>>;

/** Bounds of all wallets on both days, drawn from the pools that their scores were computed from. */
const wanted = new Map<string, readonly [low: number, high: number]>();
const wantedOf = (day: string, wallet: unknown) => wanted.get(`${day} ${String(wallet)}`) ?? expect.fail();

async function drawWhole(day: string): Promise<void> {
  const samples = await readSamples(store, day, WALLETS);
  const gatherer = createPoolGatherer();
  for (const sample of samples) gatherer.add(sample);
  const pools = gatherer.close();
  for (const sample of samples) {
    const ranked = rankedIn(sample)[0] ?? expect.fail();
    const { wash, sybil, farmer, maker } = penalties(sample.penalty);
    const bounds = bootstrapScore({
      events: sample.events,
      days: sample.days,
      prior: pools.priorOf(ranked),
      penalty: wash * sybil * farmer * maker,
      judge: pools.poolOf("").judge,
      seed: `${day}  ${sample.wallet}`,
    });
    wanted.set(`${day} ${sample.wallet}`, bounds);
  }
}

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
  await storeScoredWorld(store);
  for (const day of [DAY, NEXT]) {
    await runDays(walletScoresFromEntries, [day], {
      store,
      clock: manualClock(now()),
      signal: new AbortController().signal,
    });
    await drawWhole(day);
  }
});
afterAll(() => store.close());

test("bounds drawn for an answer equal those drawn while scoring a day, to the last bit", async () => {
  const rows = await store.rows<Drawable>(sql`SELECT ${DRAWABLE} FROM wallet_scores FINAL WHERE NOT is_gone`);
  const drawn = await drawBounds(rows, readEngineOf(store));
  expect(drawn).toHaveLength(2 * WALLETS.length);
  for (const { day, wallet, low, high } of drawn) expect([low, high]).toEqual(wantedOf(day, wallet));
  expect(new Set(drawn.map(({ low, high }) => high - low)).size).toBeGreaterThan(2);
});

/** Asserts that a row shows its drawn bounds, at the precision of an answer. */
const areDrawn = (day: string, row: Row): void => {
  const [low, high] = wantedOf(day, row["wallet"]);
  expect([Number(row["score_low"]), Number(row["score_high"])]).toEqual([
    expect.closeTo(low, 3),
    expect.closeTo(high, 3),
  ]);
  expect((row["reasons"] as string[]).includes("wide_interval")).toBe(high - low > 30);
};
const OFF = Object.fromEntries(
  ["min_win_rate", "max_win_rate", "min_roi", "min_total_trades", "max_total_trades", "min_pnl"].map((one) => [
    `${one}_15d`,
    "ALL",
  ]),
);

test("584 returns score bounds in every order, from memory and by statement, but none with custom weights", async () => {
  const [served, query] = [await openServedQuery(store, now), openTestQuery(store, now)];
  for (const sort_by of ["h_score", "pnl", "sharpe"]) {
    const rows = await query.rows(584, { params: { ...OFF, as_of: DAY, sort_by } });
    expect(rows).toHaveLength(WALLETS.length);
    for (const row of rows) areDrawn(DAY, row);
  }
  const questions: Question[] = [
    { params: { ...OFF, as_of: NEXT } },
    { params: { ...OFF, as_of: NEXT }, pagination: { limit: 2, offset: 1 } },
    { params: { ...OFF, as_of: NEXT, weights: "skill:1" } },
    { params: { as_of: NEXT, wallet: WALLETS.join(",") }, format: "typed" },
  ];
  for (const question of questions) {
    const [made, found] = [await query.answer(584, question), await served.answer(584, question)];
    expect(found.body.toString()).toBe(made.body.toString());
  }
  const weighed = await served.rows(584, questions[2]);
  expect(weighed.map((row) => row["score_low"])).toEqual(WALLETS.map(() => null));
  await served.close();
});

test("1006 returns score bounds for every day, across pages and in documents", async () => {
  const query = openTestQuery(store, now);
  const params = { wallet: WALLETS.join(",") };
  const all = await query.rows(1006, { params });
  expect(all).toHaveLength(2 * WALLETS.length);
  for (const row of all) areDrawn(String(row["date"]).slice(0, 10), row);
  const first = await query.answer(1006, { params, pagination: { limit: 3 } });
  const rest = await query.rows(1006, { params, pagination: { limit: 9, cursor: first.nextCursor } });
  expect([...(JSON.parse(first.body.toString()) as Row[]), ...rest]).toEqual(all);
  const csv = (await query.answer(1006, { params, format: "csv" })).body.toString();
  for (const row of all) expect(csv).toContain(`,"${String(row["score_low"])}","${String(row["score_high"])}",`);
});
