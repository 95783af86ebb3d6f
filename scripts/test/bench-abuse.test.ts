import { describe, expect, it } from "vitest";
import { KINDS, paidQuestions } from "../bench/abuse/mix.ts";
import { askAtRate } from "../bench/abuse/paying.ts";
import { abuseTables, figuresOf, type Seen } from "../bench/abuse/report.ts";
import { SCENES } from "../bench/abuse/scenes.ts";
import type { PeerIds } from "../bench/peers/ids.ts";
import { quantile } from "../bench/latency.ts";

const named = (name: string): string[] => Array.from({ length: 500 }, (_, index) => `${name}-${index}`);
const ids: PeerIds = {
  wallets: named("wallet"),
  conditions: named("condition"),
  tokens: named("token"),
  searches: named("search"),
  lastDay: "2026-06-09",
};

describe("the request mix of a paying key", () => {
  const questionAt = paidQuestions(ids);

  it("has one scan, three boards and three full wallets in twenty requests, and is the same at the same turn", () => {
    const requested = Array.from({ length: 200 }, (_, turn) => questionAt(turn));
    expect(KINDS.map((kind) => requested.filter((one) => one.kind === kind).length)).toEqual([130, 30, 30, 10]);
    expect(requested.filter(({ kind }) => kind === "wallet 360").every(({ agentId }) => agentId === 581)).toBe(true);
    const scans = requested.filter(({ kind }) => kind === "scan");
    expect(new Set(scans.map(({ params }) => params["end_time"])).size).toBe(scans.length);
    expect(paidQuestions(ids)(117)).toEqual(questionAt(117));
  });

  it("is sent at its rate however slow the responses, with latency measured from the due time", async () => {
    let [underWay, most] = [0, 0];
    const ask = async (): Promise<string> => {
      most = Math.max(most, (underWay += 1));
      await new Promise((resolve) => setTimeout(resolve, 300));
      underWay -= 1;
      return "200";
    };
    const latencies = await askAtRate(ask, questionAt, { rate: 50, seconds: 1, from: 0 });
    expect(latencies.length).toBe(50);
    expect(most).toBeGreaterThan(10);
    expect(Math.min(...latencies.map(({ ms }) => ms))).toBeGreaterThanOrEqual(299);
  });
});

const seenOf = (scene: string, factor: number): Seen => ({
  scene,
  latencies: Array.from({ length: 100 }, (_, index) => ({
    kind: KINDS[index % KINDS.length] ?? "pages",
    ms: (index + 1) * factor,
    status: index < 2 && factor > 1 ? "429" : "200",
  })),
  ready: { maxMs: 7, requested: 4, failed: 0 },
  lags: factor > 1 ? [10, 20] : undefined,
  cpu: { service: 0.5, engine: 0.25 },
  got: factor > 1 ? { strangers: { "401": 1200 } } : {},
});

describe("the figures of a scene", () => {
  it("have quantiles by nearest rank", () => {
    expect([0.5, 0.99, 1].map((share) => quantile([3, 1, 2], share))).toEqual([2, 3, 3]);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it("compare every p99 with that of the first scene, and count refusals", () => {
    const figures = figuresOf([seenOf("alone", 1), seenOf("all", 3)]);
    expect(figures.map(({ p50, p99, max, ratio }) => [p50, p99, max, ratio])).toEqual([
      [50, 99, 100, 1],
      [150, 297, 300, 3],
    ]);
    expect(figures.map(({ refusals }) => refusals)).toEqual([{}, { 429: 2 }]);
    expect(figures.map(({ lag_p99 }) => lag_p99)).toEqual([undefined, 20]);
    const lines = abuseTables(figures).split("\n");
    expect(lines).toContain("| alone | 100 | 50 | 99 | 100 | 1.00 | none | 7.0 |  | 0.50, 0.25 |");
    expect(lines).toContain("| all | 100 | 150 | 297 | 300 | 3.00 | 2 × 429 | 7.0 | 20 | 0.50, 0.25 |");
    expect(lines.at(-1)).toContain("| strangers: 1,200 × 401 |");
  });

  it("begin with the paying key alone", () => {
    expect(SCENES[0]).toMatchObject({ name: "alone", abuses: [], isStoring: false });
  });
});
