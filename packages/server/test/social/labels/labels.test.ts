import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { loadMarkets } from "./load-markets.ts";
import { halfOf, loadLabelledPosts, loadLabels, loadPosts, noPosts, type RecordedPost } from "./load-posts.ts";

const markets = loadMarkets();
const labels = loadLabels();

describe("labels of recorded posts", () => {
  it("refer only to listed events and markets, with one label per post", () => {
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

  it("split into tuning (240), held-out (260), fresh (60) and second (180) samples", () => {
    const sizes = (["tuning", "held out", "fresh", "second"] as const).map(
      (half) => labels.filter((label) => halfOf(label) === half).length,
    );
    expect(sizes).toEqual([240, 260, 60, 180]);
  });
});

describe.skipIf(noPosts)(`labels and the recorded posts${noPosts ? `: ${noPosts}` : ""}`, () => {
  it("match the recorded texts, and name only markets that were open when the post was made", () => {
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

  it("include a second sample drawn from the posts outside the first", () => {
    const first = new Set(labels.flatMap(({ row, stratum }) => (stratum === "second" ? [] : [row])));
    const second = labels.filter(({ stratum }) => stratum === "second").map(({ row }) => row);
    expect(second.toSorted((a, b) => a - b)).toEqual(
      drawnBy(
        "almanac-second",
        loadPosts().filter(({ row }) => !first.has(row)),
        180,
      ),
    );
  });

  it("include a random sample drawn from all posts of at least three words", () => {
    const drawn = drawnBy("almanac-random", loadPosts(), 170);
    const random = labels.filter(({ stratum }) => stratum === "random").map(({ row }) => row);
    expect(random.toSorted((a, b) => a - b)).toEqual(drawn);
  });
});

/** The rows that a seed draws from posts of at least three words. */
function drawnBy(seed: string, posts: readonly RecordedPost[], count: number): number[] {
  return posts
    .filter(({ text }) => (text.match(/[\p{L}\p{N}_]+/gu) ?? []).length >= 3)
    .map(({ row }) => ({ row, lot: createHash("sha256").update(`${seed}:${row}`).digest("hex") }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count)
    .map(({ row }) => row)
    .sort((a, b) => a - b);
}
