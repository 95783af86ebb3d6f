import type { Post } from "../../world/social-contract.ts";
import type { Range } from "./read-range.ts";

export const GRANULARITIES: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Posts a minute, an hour or a day, those without any too. The first and the last step end where the range does. */
export function countPosts(posts: readonly Post[], { from_ms, before_ms }: Range, stepMs: number) {
  const counts = new Map<number, number>();
  for (const { created_ms } of posts) {
    const at = Math.floor(created_ms / stepMs);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const data = [];
  for (let at = Math.floor(from_ms / stepMs); at * stepMs < before_ms; at += 1) {
    const start = momentOf(Math.max(from_ms, at * stepMs));
    const end = momentOf(Math.min(before_ms, (at + 1) * stepMs));
    data.push({ end, start, tweet_count: counts.get(at) ?? 0 });
  }
  return { data, meta: { total_tweet_count: posts.length } };
}

function momentOf(ms: number): string {
  return new Date(ms).toISOString();
}
