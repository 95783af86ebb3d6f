import { describe, expect, it } from "vitest";
import { loadMarkets } from "./load-markets.ts";
import type { LabelledPost } from "./load-posts.ts";
import { measureMatcher, type Match } from "./measure-matcher.ts";
import { readCsv } from "./read-csv.ts";

const markets = loadMarkets();
const [trump, harris, powell, cuts] = ["pres24:Donald Trump", "pres24:Kamala Harris", "powellk:", "fedcuts25:2"].map(
  (name) => markets.find(({ key, group }) => `${key}:${group}` === name)!.conditionId,
) as [string, string, string, string];

const post = (row: number, about: string[], doubtful: string[] = []): LabelledPost => ({
  row,
  about,
  doubtful,
  text: String(row),
  tsMs: 0,
  sha256: "",
  stratum: "random",
});

const posts = [
  post(1, ["pres24", "pres24:Kamala Harris"]),
  post(2, ["pres24"], ["fedcuts25"]),
  post(3, ["powellk"]),
  post(4, []),
];
const found: Readonly<Record<string, string[]>> = { 1: [trump, harris], 2: [trump, cuts], 3: [], 4: [powell] };
const match: Match = ({ text }) => (found[text] ?? []).map((conditionId) => ({ conditionId, term: "x" }));
const unlisted: Match = () => [{ conditionId: "0x1", term: "x" }];

describe("measureMatcher", () => {
  it("counts each event once, and doubtful labels as neither right nor wrong", () => {
    expect(measureMatcher(match, posts, markets, "event")).toEqual({
      posts: 4,
      about: 3,
      named: 3,
      right: 2,
      doubtful: 1,
      precision: 2 / 3,
      recall: 2 / 3,
      wrong: [{ row: 4, key: "powellk", term: "x" }],
      missed: [{ row: 3, key: "powellk", term: "" }],
    });
  });

  it("skips the markets of an event if only the event was labelled", () => {
    expect(measureMatcher(match, posts, markets, "market")).toEqual({
      posts: 4,
      about: 2,
      named: 3,
      right: 1,
      doubtful: 2,
      precision: 1 / 3,
      recall: 1 / 2,
      wrong: [
        { row: 1, key: "pres24:Donald Trump", term: "x" },
        { row: 4, key: "powellk", term: "x" },
      ],
      missed: [{ row: 3, key: "powellk", term: "" }],
    });
  });

  it("throws for a market that is not listed", () => {
    expect(() => measureMatcher(unlisted, posts, markets, "event")).toThrow("0x1");
  });

  it("reads quoted CSV fields", () => {
    expect(readCsv('a,b\r\n1,"x, ""y""\nz"\n,\n"",2')).toEqual([
      ["a", "b"],
      ["1", 'x, "y"\nz'],
      ["", ""],
      ["", "2"],
    ]);
  });
});
