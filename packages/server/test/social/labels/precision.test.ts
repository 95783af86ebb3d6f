import { describe, expect, it } from "vitest";
import { loadMarkets } from "./load-markets.ts";
import { halfOf, loadLabelledPosts, noPosts } from "./load-posts.ts";
import { measureMatcher } from "./measure-matcher.ts";
import { ourMatch } from "./our-match.ts";

/** The measured figures less some points (a few pairs); docs/social.md has the figures. */
const LEAST = [
  { half: "held out", level: "event", posts: 260, precision: 0.86, recall: 0.38 },
  { half: "held out", level: "market", posts: 260, precision: 0.83, recall: 0.47 },
  { half: "second", level: "event", posts: 180, precision: 0.79, recall: 0.34 },
] as const;

describe.skipIf(noPosts)(`matching recorded posts to real markets${noPosts ? `: ${noPosts}` : ""}`, () => {
  const markets = loadMarkets();
  const match = ourMatch(markets);

  it.each(LEAST)(
    "reaches the measured precision and recall on $half posts, per $level",
    ({ half, level, ...least }) => {
      const posts = loadLabelledPosts().filter((post) => halfOf(post) === half);
      const { precision, recall, posts: count } = measureMatcher(match, posts, markets, level);
      expect(count).toBe(least.posts);
      expect(precision).toBeGreaterThanOrEqual(least.precision);
      expect(recall).toBeGreaterThanOrEqual(least.recall);
    },
  );
});
