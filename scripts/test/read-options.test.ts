import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { matching, readNumber, readOptions } from "../read-options.ts";

afterEach(() => void vi.restoreAllMocks());

describe("the options of a script", () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
    vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
  });

  it.each([
    [["--nonsense"], "Unknown option '--nonsense'"],
    [["--runs"], "Option '--runs <value>' argument missing"],
    [["extra"], "Unexpected argument 'extra'"],
    [["--runs", "--nonsense"], "argument is ambiguous"],
  ])("%j ends it with one line and 2, not with 1, which is a result", (args, said) => {
    expect(() => readOptions("campaign", { args, options: { runs: { type: "string" } } })).toThrow("exit 2");
    expect(lines).toEqual([expect.stringMatching(/^campaign: [^\n]*\n$/)]);
    expect(lines[0]).toContain(said);
  });

  it("are numbers within their bounds", () => {
    const whole = { least: 1, most: 9, isWhole: true };
    expect(readNumber("bench", "runs", "1e0", whole)).toBe(1);
    expect(readNumber("bench", "days", "0.5")).toBe(0.5);
    for (const text of ["x", "", "0", "10", "1.5"])
      expect(() => readNumber("bench", "runs", text, whole)).toThrow("exit 2");
    expect(() => readNumber("bench", "days", "-1")).toThrow("exit 2");
    expect(lines[4]).toBe('bench: --runs is "1.5": expected a whole number from 1 to 9\n');
    expect(lines[5]).toBe('bench: --days is "-1": expected a number of at least 0\n');
  });

  it("are read so by each of them", () => {
    const folder = new URL("../", import.meta.url);
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".ts"));
    const reading = scripts.filter((name) => readFileSync(new URL(name, folder), "utf8").includes("parseArgs("));
    expect(reading).toEqual(["read-options.ts"]);
  });
});

describe("a selection of names", () => {
  const names = ["market", "market-kalshi", "wallet"];

  it("takes those that begin with a part, or all", () => {
    const all = names.map((name) => ({ name }));
    expect(matching("only", ["market"], all)).toEqual([{ name: "market" }, { name: "market-kalshi" }]);
    expect(matching("only", [], all)).toEqual(all);
  });

  it("is refused if a part of it matches nothing", () => {
    const all = names.map((name) => ({ name }));
    expect(() => matching("only", ["wallet", "walet"], all)).toThrow(
      '--only has "walet": expected the beginning of market, market-kalshi, wallet',
    );
  });
});
