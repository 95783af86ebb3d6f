import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import { root } from "../../src/main/command-tree.ts";
import { RANKINGS, type SkillDay, skillText } from "../../src/main/report/skill-report.ts";
import { tempFolder } from "../records/temp-folder.ts";

const folder = tempFolder();
afterAll(() => folder.remove());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function almanac(...args: string[]) {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.stubEnv("ALMANAC_DATA_DIR", folder.path);
  const code = await runCommandLine(root, args);
  return { code, out: out.mock.calls.join(""), err: err.mock.calls.join("") };
}

describe("reports and derive with wrong arguments", () => {
  test.each([
    ["report jumps --days x", "--days must be a number above 0 and up to 3650"],
    ["report jumps --days 0", "--days must be a number above 0 and up to 3650"],
    ["report jumps --days=", "--days needs a value"],
    ["report jumps 30", "unexpected argument: 30"],
    ["report luck", "Unknown command luck"],
    ["report skill now", "unexpected argument: now"],
    ["report skill --days 3", "unknown option --days"],
    ["report pnl --wallet x", "unknown option --wallet"],
    ["derive --at-once 0", "--at-once is 0: expected a whole number from 1 to 16"],
  ])("%s exits with 2 and states why", async (line, why) => {
    const { code, out, err } = await almanac(...line.split(" "));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(why);
  });

  test.each(["jumps", "pnl", "skill"])("report %s --help exits with 0", async (name) => {
    const { code, out } = await almanac("report", name, "--help");
    expect(code).toBe(0);
    expect(out).toContain("--json");
  });
});

describe("reports of an empty store", () => {
  test("state that there is nothing to report, and exit with 0", async () => {
    expect(await almanac("report", "jumps")).toMatchObject({
      code: 0,
      out: "No price changes are computed yet: the service or `almanac derive` does it.\n",
    });
    vi.restoreAllMocks();
    expect(await almanac("report", "skill")).toMatchObject({
      code: 0,
      out: "No wallet is scored yet: the service does it hourly, `almanac derive` at once.\n",
    });
    vi.restoreAllMocks();
    expect(await almanac("report", "pnl")).toMatchObject({
      code: 0,
      out: "No wallet is computed yet: the service or `almanac derive` does it.\n",
    });
    vi.restoreAllMocks();
    const { code, out } = await almanac("report", "jumps", "--json", "--days", "3");
    expect(code).toBe(0);
    const report = JSON.parse(out) as { from: string; to: string };
    expect(report).toMatchObject({ newest: null, lines: [], least_change_pct: 10 });
    expect(Date.parse(report.to) - Date.parse(report.from)).toBe(3 * 86_400_000);
  });
});

const judged = (date: string, ofScore: number): SkillDay => ({
  day: date,
  pool: 60,
  judged: 40,
  base_rate: 0.375,
  results: RANKINGS.map((ranking) => ({
    ranking,
    spearman_roi: ranking === "score" ? ofScore : 0.1,
    spearman_pnl: null,
    precision_25: 0.5,
  })),
  failures: [{ wallet: "0xabc", score: 91.25, pnl_usd: -12.345 }],
});

describe("the text of the skill report", () => {
  const scored = { first: "2026-05-01", last: "2026-05-20", traded: "2026-05-21" };

  test("states what is missing while no day can be judged", () => {
    expect(skillText([], scored)).toMatch(/^No day can be judged yet: .*2026-05-01 to 2026-05-20.*2026-05-21\.$/);
  });

  test("contains the mean of the days, each day, the days on which a baseline was better, and failures", () => {
    const lines = skillText([judged("2026-05-15", 0.3), judged("2026-05-22", 0)], scored).split("\n");
    expect(lines[0]).toBe("Ranked on a day, judged by the 14 days after; mean of 2 days");
    expect(lines.find((line) => line.startsWith("score"))).toMatch(/^score +0\.150 +- +0\.500 +1 of 2 days$/);
    expect(lines.filter((line) => line.startsWith("2026-05-15"))).toHaveLength(2);
    expect(lines.at(-1)).toMatch(/^2026-05-22 +0xabc +91\.3 +-12\.35$/);
  });
});
