import { describe, expect, test } from "vitest";
import { readFigures, type Figures } from "../growth/figures.ts";
import { fitLine, fitPower } from "../growth/fit.ts";
import { plan, planOnLeast, type Load, type Node } from "../growth/plan.ts";
import { printPlans } from "../growth/print-plan.ts";
import { readPrices } from "../growth/read-prices.ts";
import { simulate } from "../growth/simulate.ts";

const exactly = (likely: number) => ({ low: likely, likely, high: likely, source: "by hand" });
const points = (...values: [number, number][]) => values.map(([rows, value]) => ({ rows, value, source: "by hand" }));

/** 1,000 bytes and 400 a fill; worked out 200 a fill; every other figure one that is easy to multiply. */
const FIGURES: Figures = {
  source_bytes: points([1_000, 401_000], [10_000, 4_001_000]),
  derived_bytes: points([1_000, 200_000], [10_000, 2_000_000]),
  index_bytes_a_mark: exactly(20),
  marks_a_fill: 0.01,
  book_rows_a_mark: 500,
  tokens_a_fill: 0.01,
  dictionary_bytes_a_token: exactly(2 ** 10),
  book_bytes_a_change: { low: 40, likely: 50, high: 80, source: "by hand" },
  store_cpu_us_a_fill: exactly(100),
  live_cores: exactly(0.5),
  derive_cpu_us_a_fill: exactly(1_000),
  rebuild_cpu_us_a_fill: exactly(360),
  book_cpu_us_a_change: exactly(50),
  frame_cpu_us_a_change: exactly(20),
  question_cpu_ms: exactly(10),
  question_at_fills: 1_000_000,
  question_growth_a_decade: 0.5,
  wire_bytes_a_fill: 1_000,
  wire_bytes_a_change: 100,
  answer_bytes: 10_000,
};
const LOAD: Load = {
  fills: 10_000_000_000,
  fills_a_day: 86_400_000,
  book_changes_a_day: 86_400_000,
  books_hot_days: 10,
  books_kept_days: 110,
  questions_a_second: 100,
  replicas: 2,
  peak: 2,
};
const NODE: Node = { cores: 16, memory_gib: 64, nvme_gb: 4_000, full: { disk: 0.5, cpu: 0.5, memory: 0.5 } };
const PRICES = { core: 10, memory_gib: 1, nvme_gb: 0.1, object_gb: 0.01, network_gb: 0 };

describe("the planner, on figures by hand", () => {
  const made = plan(LOAD, FIGURES, NODE, PRICES);

  test("bytes: a line for what is stored, books by days on fast disk and in the object store", () => {
    expect(made.source_gb.likely).toBeCloseTo(4_000, 3);
    expect(made.derived_gb).toMatchObject({ low: expect.closeTo(2_000, 3), high: expect.closeTo(2_000, 3) });
    expect(made.books_hot_gb.likely).toBeCloseTo(43.2, 6);
    expect(made.object_gb).toEqual({
      low: expect.closeTo(345.6, 6),
      likely: expect.closeTo(432, 6),
      high: expect.closeTo(691.2, 6),
    });
  });

  test("memory: marks of fills and of books, and every token", () => {
    const marks = LOAD.fills * 0.01 + (LOAD.book_changes_a_day * LOAD.books_kept_days) / 500;
    expect(made.index_gib.likely).toBeCloseTo((marks * 20) / 2 ** 30);
    expect(made.tokens_gib.likely).toBeCloseTo(1e8 / 2 ** 20);
  });

  test("cores at the peak: stored once a replica, read and worked out once, questions dearer by decades", () => {
    expect(made.cores.store.likely).toBeCloseTo((1_000 * 2 * 2 * 100) / 1e6);
    expect(made.cores.books.likely).toBeCloseTo((1_000 * 2 * 2 * 50) / 1e6);
    expect(made.cores.frames.likely).toBeCloseTo((1_000 * 2 * 20) / 1e6);
    expect(made.cores.derive.likely).toBeCloseTo(0.5 + (1_000 * 2 * 1_000) / 1e6);
    expect(made.cores.questions.likely).toBeCloseTo((100 * 10 * (1 + 0.5 * 4)) / 1e3);
    expect(made.cores_in_all.likely).toBeCloseTo(0.4 + 0.2 + 0.04 + 2.5 + 3);
    expect(made.rebuild_core_hours.likely).toBeCloseTo(1_000);
  });

  test("nodes by what is short, and what they cost", () => {
    // (4,000 + 2,000 + 43.2) GB on disks of 4,000 GB half full: 4 shards.
    expect(made).toMatchObject({ shards: 4, nodes: 8, bound_by: "disk", memory_gib: 512 });
    const cost = 8 * (160 + 64) + (6_043.2 / 0.5) * 2 * 0.1 + 432 * 2 * 0.01;
    expect(made.usd_a_month.likely).toBeCloseTo(cost, 0);
    // A fill of 1,000 bytes and a change of 100 at twice the mean, to two replicas; answers out.
    expect(made.network_mbit).toBeCloseTo(((1_000 * 1_000 + 1_000 * 100) * 2 * 2 * 8 + 100 * 10_000 * 8) / 1e6);
  });

  test("the smallest server is chosen that holds everything, else the largest as often as needed", () => {
    const small = { ...NODE, cores: 2, nvme_gb: 100 };
    const little = { ...LOAD, fills: 1_000_000, fills_a_day: 1_000, book_changes_a_day: 0, questions_a_second: 1 };
    expect(planOnLeast(little, FIGURES, [small, NODE], PRICES)).toMatchObject({ node: small, plan: { nodes: 2 } });
    expect(planOnLeast(LOAD, FIGURES, [small, NODE], PRICES)).toMatchObject({ node: NODE, plan: { shards: 4 } });
  });

  test("books that go before they are old are in no object store, and processors can be what is short", () => {
    const busy = plan(
      { ...LOAD, fills: 1_000_000, books_kept_days: 5, questions_a_second: 5_000 },
      FIGURES,
      NODE,
      PRICES,
    );
    expect(busy.object_gb.likely).toBe(0);
    expect(busy.books_hot_gb.likely).toBeCloseTo(21.6);
    // 50 + 3.1 cores on two replicas of 16, half busy.
    expect(busy).toMatchObject({ shards: 4, bound_by: "cpu" });
  });
});

test("a line through points on it is found exactly, and says how far others lie off", () => {
  expect(fitLine(points([10, 70], [20, 120], [100, 520]))).toMatchObject({
    base: expect.closeTo(20),
    slope: expect.closeTo(5),
    off: expect.closeTo(0),
  });
  expect(fitLine(points([10, 50], [20, 100], [40, 220])).off).toBeGreaterThan(0.01);
  expect(() => fitLine(points([10, 70]))).toThrow(/two points/);
  expect(fitPower(points([10, 1_000], [1_000, 10_000_000]))).toEqual({
    power: expect.closeTo(2),
    scale: expect.closeTo(10),
  });
});

describe("the simulation", () => {
  const alone = { cores: 1, questionCpuMs: 10, insertCpuMs: 0, mergeCpuMs: 0, mergers: 1, seconds: 2_000, seed: 7 };

  test("agrees with queueing theory where that has a formula: one core shared evenly", () => {
    for (const used of [0.3, 0.6, 0.8]) {
      const { mean_ms, used: found } = simulate({ ...alone, questionsASecond: used * 100 });
      expect(found).toBeGreaterThan(used * 0.95);
      expect(found).toBeLessThan(used * 1.05);
      // M/M/1 with processor sharing: service time over the idle share.
      expect(mean_ms / (10 / (1 - used))).toBeGreaterThan(0.85);
      expect(mean_ms / (10 / (1 - used))).toBeLessThan(1.15);
    }
  });

  test("inserts pile up when nothing is left for them", () => {
    const full = { ...alone, cores: 2, seconds: 100, questionsASecond: 10, insertCpuMs: 1_900, mergeCpuMs: 19_000 };
    expect(simulate(full).insert_lag_s).toBeGreaterThan(2);
    expect(simulate({ ...full, insertCpuMs: 200, mergeCpuMs: 2_000 }).insert_lag_s).toBeLessThan(0.5);
  });
});

test("the figures and prices of this repository give a plan for every size", () => {
  const [figures, prices] = [readFigures(), readPrices()];
  const plans = [2e7, 1e8, 1e9, 1e10].map((fills) => planOnLeast({ ...LOAD, fills }, figures, [NODE], prices));
  const nodes = plans.map((one) => one.plan.nodes);
  expect(nodes).toEqual(nodes.toSorted((a, b) => a - b));
  for (const { plan: one } of plans) {
    for (const { low, likely, high } of [one.source_gb, one.derived_gb, one.cores_in_all, one.usd_a_month]) {
      expect(low).toBeLessThanOrEqual(likely);
      expect(likely).toBeLessThanOrEqual(high);
    }
  }
  expect(printPlans(plans)).toContain("| 10 B fills |");
});
