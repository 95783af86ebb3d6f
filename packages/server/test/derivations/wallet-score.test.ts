import { describe, expect, test } from "vitest";
import { bootstrapScore, seededRandom } from "../../src/derivations/wallet-score/bootstrap-score.ts";
import {
  calm,
  cappedProfit,
  measures,
  normalCdf,
  probabilisticSharpe,
  type ScoreEvent,
  type WalletSample,
} from "../../src/derivations/wallet-score/measures.ts";
import {
  categoryPaths,
  createPoolGatherer,
  rankedIn,
  type Pools,
  type Ranked,
} from "../../src/derivations/wallet-score/gather-pools.ts";
import { penalties, SCORE_WEIGHTS, scoreOf } from "../../src/derivations/wallet-score/score-factors.ts";
import { percentiles, qValues, betweenVariance, shrink } from "../../src/derivations/wallet-score/pool.ts";
import { RowWriter } from "../../src/definition/row-writer.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { skillSums } from "../../src/derivations/wallet-score/summed-columns.ts";
import { writeScore } from "../../src/derivations/wallet-score/write-score.ts";
import { walletScores } from "../../src/tables/wallet-scores.ts";
import { unpackRows } from "../fixtures/unpack-rows.ts";

function scoreRowOf(sample: WalletSample, ranked: Ranked, pools: Pools): InsertRow {
  const row = new RowWriter();
  writeScore(row, 20_000, sample, ranked, pools);
  return unpackRows(walletScores, row.packed())[0] as InsertRow;
}

const event = (change: Partial<ScoreEvent> = {}): ScoreEvent => ({
  category: "Sports / Tennis",
  entries: 2,
  edgeSum: 0.4,
  varianceSum: 0.5,
  skillSum: 0.1,
  weight: 2,
  spread: 0.5,
  clvEntries: 2,
  clvSum: 0.1,
  profits: [10],
  ...change,
});

const at = (...means: number[]) => means.map((mean) => ({ mean, prior: 0, variance: 0.01 }));

describe("statistics, checked by hand", () => {
  test("the normal distribution at known points", () => {
    expect(normalCdf(0)).toBeCloseTo(0.5, 7);
    expect(normalCdf(1.96)).toBeCloseTo(0.975_002, 6);
    expect(normalCdf(-1)).toBeCloseTo(0.158_655, 6);
  });

  test("Benjamini-Hochberg: p·m/rank, made monotone from the largest rank down", () => {
    // 0.01·4/1 = 0.04, 0.02·4/2 = 0.04, 0.03·4/3 = 0.04, 0.5·4/4 = 0.5.
    expect(qValues([0.03, 0.01, 0.5, 0.02]).map((q) => Number(q.toFixed(10)))).toEqual([0.04, 0.04, 0.5, 0.04]);
    expect(qValues([])).toEqual([]);
  });

  test("the probabilistic Sharpe ratio", () => {
    // Returns 1, 0, 2, 1: mean 1, second moment 0.5, skewness 0, kurtosis 0.5 / 0.25 = 2, SR = 1/√(2/3) = 1.2247;
    // Φ(1.2247·√3 / √(1 + 0.25·1.5)) = Φ(2.1213 / 1.17260) = Φ(1.80907).
    expect(probabilisticSharpe(Float64Array.from([1, 0, 2, 1]))).toBeCloseTo(0.964_78, 4);
    expect(probabilisticSharpe(Float64Array.from([-1, 0, -2, -1]))).toBeCloseTo(1 - 0.964_78, 4);
    expect(probabilisticSharpe(Float64Array.from([1, 2]))).toBeNull();
    expect(probabilisticSharpe(Float64Array.from([1, 1, 1]))).toBeNull();
  });

  test("no market's gain counts for more than a fifth of all gains", () => {
    // Gains 80 + 10 + 10 = 100, cap 20: 20 + 10 + 10 − 5.
    expect(cappedProfit([{ profits: [80, 10, 10, -5] }])).toBe(35);
    expect(cappedProfit([{ profits: [-5] }])).toBe(-5);
    expect(cappedProfit([{ profits: [] }])).toBe(0);
  });

  test("calm: the deepest drawdown over the largest capital", () => {
    const days = [10, -4, -8, 5].map((profit) => ({ profit, capital: 48 }));
    expect(calm(days)).toBeCloseTo(1 - 12 / 48, 12);
    expect(calm([{ profit: -3, capital: 2 }])).toBe(0);
    expect(calm([{ profit: 3, capital: 0 }])).toBeNull();
  });

  test("percentiles count ties by half and omit nulls", () => {
    const ranking = percentiles([1, 2, 2, 3, null]);
    expect([1, 2, 3, 0, 9, null].map((one) => ranking.placeOf(one))).toEqual([0.125, 0.5, 0.875, 0, 1, 0.5]);
  });

  test("shrinkage keeps n/(n + k) of the distance to the prior, and bounds the remainder", () => {
    const { shrunk, low } = shrink({ mean: 0.1, prior: 0.02, variance: 0.0009 }, 0.0003);
    // 0.0003 / 0.0012 = a quarter of 0.08; √(0.25·0.0009) = 0.015.
    expect(shrunk).toBeCloseTo(0.04, 12);
    expect(low).toBeCloseTo(0.04 - 1.281_551_565_5 * 0.015, 10);
  });

  test("the variance between wallets makes the sum of weighted squares equal the degrees of freedom", () => {
    // Two wallets at ±0.1 of their prior, variance 0.01: 2·0.01 / (0.01 + τ²) = 1 → τ² = 0.01.
    expect(betweenVariance(at(0.1, -0.1))).toBeCloseTo(0.01, 6);
    expect(betweenVariance(at(0, 0))).toBeCloseTo(0.002 ** 2, 9);
  });

  test("luck is removed from an edge if a later price is known", () => {
    // One entry at 0.40 that paid 1, later price 0.45, costs 0.01; another at 0.50 that paid 0, without a later price.
    const sums = skillSums({
      entries: 2,
      edgeSum: 0.1,
      costSum: 0.02,
      varianceSum: 0.49,
      laterEntries: 1,
      laterSum: 0.05,
      laterEdgeSum: 0.6,
      laterCostSum: 0.01,
      laterVarianceSum: 0.24,
    });
    expect(sums.skillSum).toBeCloseTo(0.1 * 0.6 + 0.9 * 0.05 - 0.01 + 0.15 * (-0.5 - 0.01), 12);
    expect(sums.weight).toBeCloseTo(1.15, 12);
    expect(sums.spread).toBeCloseTo(0.24 + 0.15 * 0.25, 12);
  });

  test("penalties: patterns by their score, farmers at 0.95, and makers keep four fifths", () => {
    const none = { wash: 0, sybil: 0, farmer: 0, bothSides: 0, averageEntry: 0.5 };
    expect(penalties(none)).toEqual({ wash: 1, sybil: 1, farmer: 1, maker: 1 });
    expect(penalties({ wash: 40, sybil: 100, farmer: 50, bothSides: 100, averageEntry: null })).toEqual({
      wash: 0.6,
      sybil: 0,
      farmer: 0.75,
      maker: 0.8,
    });
    expect(penalties({ ...none, averageEntry: 0.95 }).farmer).toBe(0.5);
  });

  test("weights sum to one; a score is the weighted percentile times the penalty", () => {
    expect(Object.values(SCORE_WEIGHTS).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
    expect(scoreOf({ skill: 1, profit: 0, risk: 0.5, timing: 0, breadth: 0 }, 0.5)).toBeCloseTo(22.5, 12);
  });

  test("equal scores of different parts are the same number", () => {
    const none = { skill: 0, profit: 0, risk: 0, timing: 0, breadth: 0 };
    const scores = [
      { ...none, breadth: 0.375 },
      { ...none, timing: 0.375, breadth: 0.125 },
      { ...none, timing: 0.5625 },
    ];
    expect(scores.map((parts) => scoreOf(parts, 1))).toEqual([5.625, 5.625, 5.625]);
  });

  test("an entry of a category also counts for its parent categories", () => {
    expect(categoryPaths("Sports / Basketball / NBA")).toEqual([
      "",
      "Sports",
      "Sports / Basketball",
      "Sports / Basketball / NBA",
    ]);
    expect(categoryPaths("")).toEqual([""]);
  });

  test("events are clusters: breadth, clv and z of hand-computed events", () => {
    const found = measures([event(), event({ entries: 6, profits: [10, -30] })], []);
    // 8² / (2² + 6²) = 1.6; z = 0.8 / √1; profits 10, 10, −30 with 20 gained, cap 4.
    expect(found).toMatchObject({ entries: 8, events: 2, breadth: 1.6, clv: 0.05, sharpe: null, calm: null });
    expect(found.z).toBeCloseTo(0.8, 12);
    expect(found.profit).toBe(4 + 4 - 30);
  });

  test("the random generator is uniform, and deterministic for a seed", () => {
    const counts = [0, 0, 0, 0];
    const random = seededRandom("a wallet on a day");
    for (let draw = 0; draw < 40_000; draw += 1) counts[random(4)] = (counts[random(4)] ?? 0) + 1;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
    const [one, two] = [seededRandom("x"), seededRandom("x")];
    expect(Array.from({ length: 5 }, () => one(1000))).toEqual(Array.from({ length: 5 }, () => two(1000)));
  });
});

/** Wallets of rising skill, 24 entries in 12 events each. */
const samples: WalletSample[] = Array.from({ length: 30 }, (_, place) => ({
  wallet: `0x${String(place).padStart(40, "0")}`,
  events: Array.from({ length: 12 }, (_each, index) =>
    event({ skillSum: place * 0.01 + (index % 2) * 0.05, profits: [place - 15], clvSum: place * 0.001 }),
  ),
  days: Array.from({ length: 10 }, (_day, index) => ({ profit: place - 15 + (index % 3), capital: 100 })),
  penalty: { wash: 0, sybil: 0, farmer: 0, bothSides: 0, averageEntry: 0.5 },
}));

describe("a pool of scores", () => {
  const gatherer = createPoolGatherer();
  for (const sample of samples) gatherer.add(sample);
  const pools = gatherer.close();
  const rowOf = (sample: WalletSample, category = "") => {
    const ranked = rankedIn(sample).find((one) => one.category === category);
    if (!ranked) throw new Error("not ranked");
    return scoreRowOf(sample, ranked, pools);
  };

  const boundsOf = (sample: WalletSample, category: string) => {
    const ranked = rankedIn(sample).find((one) => one.category === category);
    if (!ranked) throw new Error("not ranked");
    const seed = `2026-05-10 ${category} ${sample.wallet}`;
    const { judge } = pools.poolOf(category);
    return bootstrapScore({
      events: sample.events.filter((one) => categoryPaths(one.category).includes(category)),
      days: sample.days,
      prior: pools.priorOf(ranked),
      penalty: 1,
      judge,
      seed,
    });
  };

  test("ranks in every category of the path, better wallets above worse ones, with scores near their bounds", () => {
    expect(rankedIn(samples[0] as WalletSample).map(({ category }) => category)).toEqual([
      "",
      "Sports",
      "Sports / Tennis",
    ]);
    const scores = samples.map((sample) => Number(rowOf(sample)["score"]));
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    for (const sample of samples) {
      const score = Number(rowOf(sample, "Sports")["score"]);
      const [low, high] = boundsOf(sample, "Sports");
      expect(low).toBeLessThanOrEqual(score + 15);
      expect(high).toBeGreaterThanOrEqual(score - 15);
      expect(low).toBeLessThanOrEqual(high);
    }
  });

  test("gives the same score for the same day, whatever the order of the wallets", () => {
    const again = createPoolGatherer();
    for (const sample of samples.toReversed()) again.add(sample);
    const others = again.close();
    const sample = samples[7] as WalletSample;
    const ranked = rankedIn(sample)[0];
    if (!ranked) throw new Error("not ranked");
    const one = scoreRowOf(sample, ranked, pools);
    expect(scoreRowOf(sample, ranked, pools)).toEqual(one);
    expect(boundsOf(sample, "")).toEqual(boundsOf(sample, ""));
    expect(scoreRowOf(sample, ranked, others)["score"]).toBeCloseTo(Number(one["score"]), 6);
  });

  test("has bounds that shrink to a point if all events and days are alike", () => {
    const sample = {
      ...(samples[20] as WalletSample),
      events: Array.from({ length: 12 }, () => event()),
    };
    const { judge } = pools.poolOf("");
    const given = { events: sample.events, days: [], prior: 0, penalty: 1, judge, seed: "s" };
    const [low, high] = bootstrapScore(given);
    const { parts } = judge(measures(sample.events, []), 0);
    expect(high).toBeCloseTo(low, 6);
    expect(low).toBeCloseTo(scoreOf(parts, 1), 6);
  });

  test("does not rank a wallet with fewer than twenty entries", () => {
    expect(rankedIn({ ...(samples[0] as WalletSample), events: [event({ entries: 19 })] })).toEqual([]);
  });

  test("applies a penalty and names it in the reasons", () => {
    const sample = samples[25] as WalletSample;
    const clean = rowOf(sample);
    const washed = rowOf({ ...sample, penalty: { ...sample.penalty, wash: 50 } });
    expect(Number(washed["score"])).toBeCloseTo(Number(clean["score"]) / 2, 9);
    expect(washed["reasons"]).toContain("wash_pattern");
    expect(clean["reasons"]).not.toContain("wash_pattern");
  });
});
