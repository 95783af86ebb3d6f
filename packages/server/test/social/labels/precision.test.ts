import { describe, expect, it } from "vitest";
import { loadMarkets } from "./load-markets.ts";
import { halfOf, loadLabelledPosts, noPosts } from "./load-posts.ts";
import { LEVELS, measureMatcher } from "./measure-matcher.ts";
import { ourMatch } from "./our-match.ts";

/** What was measured on the half held out, less some points (a few pairs); docs/social.md has the figures. */
const LEAST = {
  event: { precision: 0.57, recall: 0.1 },
  market: { precision: 0.48, recall: 0.16 },
} as const;

describe.skipIf(noPosts)(`matching recorded posts to real markets${noPosts ? `: ${noPosts}` : ""}`, () => {
  const markets = loadMarkets();

  it.each(LEVELS)("is as precise as was measured on posts held out, by %s", (level) => {
    const posts = loadLabelledPosts().filter((post) => halfOf(post) === "held out");
    const { precision, recall, posts: count } = measureMatcher(ourMatch(markets), posts, markets, level);
    expect(count).toBe(260);
    expect(precision).toBeGreaterThanOrEqual(LEAST[level].precision);
    expect(recall).toBeGreaterThanOrEqual(LEAST[level].recall);
  });
});
