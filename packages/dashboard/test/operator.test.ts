import { describe, expect, it } from "vitest";
import { isWorthAnotherTry } from "../src/api/query-client.ts";
import { ConsoleProblem } from "../src/api/console-problem.ts";
import { toDetailText } from "../src/pages/audit/to-detail-text.ts";
import {
  datasetsOfPlan,
  parsePlanDatasets,
  printPlanDatasets,
  unknownPart,
  planProblem,
} from "../src/pages/operator-plans/plan-form.ts";
import { diskBytesOf, sizeOf } from "../src/pages/operator-store/size-of.ts";
import { streamRank, streamWords } from "../src/pages/operator-streams/stream-tone.ts";
import { showBytes, showSpan } from "../src/read/value-text.ts";

const DATASETS = [
  { agent_id: 1, plan: "free" },
  { agent_id: 2, plan: "pro" },
  { agent_id: 3, plan: "enterprise" },
];
const PLANS = [{ name: "free" }, { name: "pro" }];

const problem = (status: number): ConsoleProblem => new ConsoleProblem({ status, code: "X", message: "x" });

describe("a plan's datasets", () => {
  it("are listed by id or by the plan they are sold from", () => {
    expect(datasetsOfPlan("all", DATASETS)).toHaveLength(3);
    expect(datasetsOfPlan(["free", 3], DATASETS).map(({ agent_id }) => agent_id)).toEqual([1, 3]);
    expect(datasetsOfPlan([], DATASETS)).toEqual([]);
  });

  it("are parsed from the form in which they are printed", () => {
    for (const given of ["all", ["free", 574], []] as const)
      expect(parsePlanDatasets(printPlanDatasets(given))).toEqual(given);
    expect(parsePlanDatasets(" free,574  pro ")).toEqual(["free", 574, "pro"]);
  });

  it("report the part that names no known dataset or plan", () => {
    expect(unknownPart(["free", 1], DATASETS, PLANS)).toBeUndefined();
    expect(unknownPart(["gold"], DATASETS, PLANS)).toBe("gold");
    expect(unknownPart([99], DATASETS, PLANS)).toBe("99");
  });

  it("come with limits that must be whole numbers in range", () => {
    expect(planProblem("60", 1000)).toBeUndefined();
    for (const text of ["", "-1", "1.5", "0", "1001", "1e3"]) expect(planProblem(text, 1000), text).toBeDefined();
  });
});

describe("a stream's state", () => {
  it('is "behind" if it runs but lags, and "failing" if it fails', () => {
    expect(streamWords({ state: "running", behind: true })).toEqual({ tone: "warn", words: "behind" });
    expect(streamWords({ state: "failing", behind: true })).toEqual({ tone: "bad", words: "failing" });
    expect(streamWords({ state: "caught_up", behind: false }).words).toBe("caught up");
  });

  it('is "not running" if no process collects it, however far it lags', () => {
    expect(streamWords({ state: "not running", behind: true })).toEqual({ tone: "warn", words: "not running" });
  });

  it("sorts streams that need attention first", () => {
    const states = ["off", "caught_up", "not running", "failing"].map((state) => ({ state, behind: false }));
    expect(states.toSorted((a, b) => streamRank(a) - streamRank(b)).map(({ state }) => state)).toEqual([
      "failing",
      "not running",
      "caught_up",
      "off",
    ]);
  });
});

describe("the store's size", () => {
  const fills = { rows: 10, bytes: 500, cold_bytes: 0, uncompressed_bytes: 2000 };
  const books = { rows: 30, bytes: 900, cold_bytes: 700, uncompressed_bytes: 9000 };

  it("is split into bytes on disk and bytes in object storage", () => {
    expect([fills, books].map(diskBytesOf)).toEqual([500, 200]);
    expect(sizeOf([fills, books])).toEqual({ rows: 40, diskBytes: 700, coldBytes: 700, uncompressedBytes: 11_000 });
    expect(sizeOf([])).toEqual({ rows: 0, diskBytes: 0, coldBytes: 0, uncompressedBytes: 0 });
  });
});

describe("formatting", () => {
  it("shows bytes to three digits", () => {
    expect([0, 999, 1000, 999_499, 999_500, 1_234_567, 5e12].map(showBytes)).toEqual([
      "0 B",
      "999 B",
      "1.00 kB",
      "999 kB",
      "1.00 MB",
      "1.23 MB",
      "5.00 TB",
    ]);
  });

  it("shows durations in two units", () => {
    expect([null, 0.85, 3.25, 42, 61, 3600, 273_600].map(showSpan)).toEqual([
      "–",
      "850 ms",
      "3.3 s",
      "42 s",
      "1 min 1 s",
      "1 h",
      "3 d 4 h",
    ]);
  });

  it("rounds durations into the next unit", () => {
    expect([0.9996, 9.96, 59.7, 119.8].map(showSpan)).toEqual(["1.0 s", "10 s", "1 min", "2 min"]);
  });

  it("shows an audit entry's details in words", () => {
    expect(toDetailText({ name: "a", expires_at: null, datasets: [1, 2] })).toBe(
      "name: a · expires at: none · datasets: [1,2]",
    );
    expect(toDetailText(null)).toBe("");
  });
});

describe("a retry", () => {
  it("is made only for errors that may pass, and a limited number of times", () => {
    expect([400, 401, 403, 404, 429].map((status) => isWorthAnotherTry(0, problem(status)))).toEqual(
      Array.from({ length: 5 }, () => false),
    );
    expect(isWorthAnotherTry(0, problem(503))).toBe(true);
    expect(isWorthAnotherTry(0, problem(0))).toBe(true);
    expect(isWorthAnotherTry(2, problem(503))).toBe(false);
  });
});
