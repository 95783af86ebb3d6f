import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { matching, readOptions } from "../read-options.ts";

afterEach(() => void vi.restoreAllMocks());

describe("the options of a script", () => {
  it.each([
    [["--nonsense"], "Unknown option '--nonsense'"],
    [["--runs"], "Option '--runs <value>' argument missing"],
    [["extra"], "Unexpected argument 'extra'"],
  ])("%j ends it with one line and 2, not with 1, which is a result", (args, said) => {
    const lines: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
    vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    expect(() => readOptions("campaign", { args, options: { runs: { type: "string" } } })).toThrow("exit 2");
    expect(lines).toEqual([expect.stringMatching(/^campaign: [^\n]*\n$/)]);
    expect(lines[0]).toContain(said);
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
