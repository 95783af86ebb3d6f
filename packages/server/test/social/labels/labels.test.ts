import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { loadMarkets } from "./load-markets.ts";
import { halfOf, loadLabelledPosts, loadLabels, loadPosts, noPosts, type LabelledPost } from "./load-posts.ts";
import { measureMatcher, type Match } from "./measure-matcher.ts";
import { readCsv } from "./read-csv.ts";

const markets = loadMarkets();
const labels = loadLabels();

describe("labels of real posts", () => {
  it("are of events and markets that are listed, each post once", () => {
    const known = new Set(markets.flatMap(({ key, group }) => [key, `${key}:${group}`]));
    for (const { row, about = [], doubtful = [] } of labels) {
      for (const key of [...about, ...doubtful]) expect(known, `row ${row}`).toContain(key);
      for (const key of about) expect(about, `row ${row}`).toContain(key.split(":", 1)[0]);
      expect(about.filter((key) => doubtful.includes(key))).toEqual([]);
    }
    expect(new Set(labels.map(({ row }) => row)).size).toBe(labels.length);
    expect(labels.length).toBeGreaterThanOrEqual(300);
    expect(new Set(markets.map(({ conditionId }) => conditionId)).size).toBe(markets.length);
  });

  it("are parted in two halves", () => {
    const tuning = labels.filter((label) => halfOf(label) === "tuning").length;
    expect([tuning, labels.length - tuning]).toEqual([240, 260]);
  });
});

describe.skipIf(noPosts)(`labels and the recorded posts${noPosts ? `: ${noPosts}` : ""}`, () => {
  it("are of these texts, and of markets that were open when they were posted", () => {
    for (const { row, tsMs, about = [], doubtful = [] } of loadLabelledPosts()) {
      for (const key of [...about, ...doubtful]) {
        const open = markets.filter(
          (market) =>
            (market.key === key || `${market.key}:${market.group}` === key) &&
            market.openedMs <= tsMs &&
            tsMs < market.closedMs,
        );
        expect(open, `row ${row}: ${key}`).not.toEqual([]);
      }
    }
  });

  it("have a third that was drawn from all posts of three words and more", () => {
    const drawn = loadPosts()
      .filter(({ text }) => (text.match(/[\p{L}\p{N}_]+/gu) ?? []).length >= 3)
      .map(({ row }) => ({ row, lot: createHash("sha256").update(`almanac-random:${row}`).digest("hex") }))
      .sort((a, b) => (a.lot < b.lot ? -1 : 1))
      .slice(0, 170)
      .map(({ row }) => row);
    const random = labels.filter(({ stratum }) => stratum === "random").map(({ row }) => row);
    expect(random.toSorted((a, b) => a - b)).toEqual(drawn.sort((a, b) => a - b));
  });
});

describe("measuring a matcher", () => {
  const [trump, harris, powell, cuts] = ["pres24:Donald Trump", "pres24:Kamala Harris", "powellk:", "fedcuts25:2"].map(
    (name) => markets.find(({ key, group }) => `${key}:${group}` === name)!.conditionId,
  ) as [string, string, string, string];
  const post = (row: number, about: string[], doubtful: string[] = []): LabelledPost => ({
    ...{ row, about, doubtful, text: String(row), tsMs: 0, sha256: "", stratum: "random" },
  });
  const posts = [
    post(1, ["pres24", "pres24:Kamala Harris"]),
    post(2, ["pres24"], ["fedcuts25"]),
    post(3, ["powellk"]),
    post(4, []),
  ];
  const found: Readonly<Record<string, string[]>> = { 1: [trump, harris], 2: [trump, cuts], 3: [], 4: [powell] };
  const match: Match = ({ text }) => (found[text] ?? []).map((conditionId) => ({ conditionId, term: "x" }));

  it("counts events once, and what is doubted neither way", () => {
    expect(measureMatcher(match, posts, markets, "event")).toEqual({
      ...{ posts: 4, about: 3, named: 3, right: 2, doubtful: 1, precision: 2 / 3, recall: 2 / 3 },
      wrong: [{ row: 4, key: "powellk", term: "x" }],
      missed: [{ row: 3, key: "powellk", term: "" }],
    });
  });

  it("leaves markets out where only their event was labelled", () => {
    expect(measureMatcher(match, posts, markets, "market")).toEqual({
      ...{ posts: 4, about: 2, named: 3, right: 1, doubtful: 2, precision: 1 / 3, recall: 1 / 2 },
      wrong: [
        { row: 1, key: "pres24:Donald Trump", term: "x" },
        { row: 4, key: "powellk", term: "x" },
      ],
      missed: [{ row: 3, key: "powellk", term: "" }],
    });
  });

  it("refuses a market that is not listed", () => {
    const other: Match = () => [{ conditionId: "0x1", term: "x" }];
    expect(() => measureMatcher(other, posts, markets, "event")).toThrow("0x1");
  });

  it("reads quoted fields of CSV", () => {
    expect(readCsv('a,b\r\n1,"x, ""y""\nz"\n,\n"",2')).toEqual([
      ["a", "b"],
      ["1", 'x, "y"\nz'],
      ["", ""],
      ["", "2"],
    ]);
  });
});
