import { describe, expect, it } from "vitest";
import { chartOf } from "../bench/peers/chart.ts";
import { differenceOf } from "../bench/peers/compare-answers.ts";
import { zipfDraws, makeMixes, MIX_NAMES } from "../bench/peers/mixes.ts";
import type { PeerIds } from "../bench/peers/ids.ts";
import { ratiosOf, tableOf, type PeerLine } from "../bench/peers/report.ts";

const named = (name: string): string[] => Array.from({ length: 2_000 }, (_, index) => `${name}-${index}`);
const ids: PeerIds = {
  wallets: named("wallet"),
  conditions: named("condition"),
  tokens: named("token"),
  searches: named("search"),
  lastDay: "2026-06-09",
};

describe("the requests of the peers' benchmark", () => {
  it("follow Zipf's law and are the same for the same seed, the first as often as 1/k predicts", () => {
    const draws = zipfDraws(31, 100, 20_000);
    expect(zipfDraws(31, 100, 20_000)).toEqual(draws);
    expect(zipfDraws(32, 100, 20_000)).not.toEqual(draws);
    expect(Math.max(...draws)).toBeLessThan(100);
    const count = (rank: number): number => draws.filter((one) => one === rank).length;
    // The sum of 1/k up to 100 is 5.187.
    expect(count(0) / 20_000).toBeCloseTo(1 / 5.187, 1);
    expect(count(0) / count(9)).toBeGreaterThan(7);
    expect(count(0) / count(9)).toBeLessThan(14);
  });

  it("are the same at the same turn, and request every new page once", () => {
    const mixes = makeMixes(ids);
    expect(mixes.map(({ name }) => name)).toEqual([...MIX_NAMES]);
    const again = makeMixes(ids);
    for (const [index, mix] of mixes.entries()) {
      for (let turn = 0; turn < 100; turn += 1) expect(again[index]?.questionAt(turn)).toEqual(mix.questionAt(turn));
    }
    const [trades, cold] = mixes;
    expect([trades?.newUntil, cold?.newUntil]).toEqual([4_000, 8_000]);
    for (const mix of [trades, cold]) {
      const requested = Array.from({ length: mix?.newUntil ?? 0 }, (_, turn) => JSON.stringify(mix?.questionAt(turn)));
      expect(new Set(requested).size).toBe(requested.length);
    }
  });
});

const line = (mix: PeerLine["mix"], side: PeerLine["side"], perSecond: number, cpuMs: number): PeerLine => ({
  mix,
  side,
  clients: 16,
  perSecond,
  cpuMs,
  requested: 100,
  requests: 90,
  p50: 1,
  p99: 2,
  failed: 0,
  enginePages: 0,
});

describe("the figures of the peers' benchmark", () => {
  const lines = [
    line("poller", "bare", 8_000, 0.05),
    line("cold", "postgres", 1_000, 1.2),
    line("poller", "almanac", 2_000, 0.2),
    line("cold", "almanac", 3_000, 0.3),
    line("poller", "postgres", 500, 1),
    { ...line("cold", "almanac", 1, 1), clients: 1 },
  ];

  it("have the ratio of ours to theirs in requests, and of theirs to ours in CPU, with 16 clients", () => {
    expect(ratiosOf(lines, 16)).toEqual({
      ratios: { cold: 3, poller: 4, bare_poller: 0.25 },
      cpu_ratios: { cold: 4, poller: 5, bare_poller: 0.25 },
    });
  });

  it("show the sides of a mix below each other, and the ratios as bars", () => {
    const rows = tableOf(lines).split("\n").slice(2);
    expect(rows.map((row) => row.split(" | ").slice(0, 3).join(" "))).toEqual([
      "| cold 1 almanac",
      "| cold 16 almanac",
      "| cold 16 postgres",
      "| poller 16 almanac",
      "| poller 16 postgres",
      "| poller 16 bare",
    ]);
    const chart = chartOf(ratiosOf(lines, 16), "100 fills");
    expect(chart.match(/<rect /g)).toHaveLength(2 + 3 * 2);
    expect(chart).toContain(">bare_poller<");
  });
});

const answer = (results: unknown[], has_more = false) => ({
  data: { results },
  pagination: { limit: 2, offset: 0, has_more },
});

describe("the comparison of two answers", () => {
  it("covers rows, fields and page, whatever the order of fields", () => {
    expect(differenceOf(answer([{ a: 1, b: "x" }]), answer([{ b: "x", a: 1 }]))).toBeUndefined();
    expect(differenceOf(answer([{ a: 1 }]), answer([{ a: 2 }]))).toBe('row 0: {"a":1} and {"a":2}');
    expect(differenceOf(answer([{ a: null }]), answer([{}]))).toBe('row 0: {"a":null} and {}');
    expect(differenceOf(answer([{ a: 1 }]), answer([]))).toBe("1 and 0 rows");
    expect(differenceOf(answer([]), answer([], true))).toContain('"has_more":true');
  });
});
