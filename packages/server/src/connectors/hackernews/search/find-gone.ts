import type { PullOptions } from "../../../definition/connector.ts";
import { readSlice } from "./read-slice.ts";
import type { SliceStep } from "./walk-slices.ts";

/** Far more than moderators and authors take away of an hour. */
const MOST_SECONDS = 500;

/**
 * Stored posts of a slice that are no more. A removal is for good, so an answer that lacks something is not believed by
 * itself: each second of what is missing is asked for once more.
 */
export async function findGone(
  options: Pick<PullOptions, "feed" | "signal" | "storedPosts">,
  { slice, hits, isSure }: SliceStep,
): Promise<readonly string[]> {
  if (!isSure || options.storedPosts === undefined) return [];
  const there = new Set(hits.map(({ objectID }) => objectID));
  const stored = await options.storedPosts("hackernews", slice.from * 1000, slice.to * 1000);
  const missing = Map.groupBy(
    stored.filter(({ id }) => !there.has(id)),
    ({ ts }) => Math.floor(ts / 1000),
  );
  if (missing.size > MOST_SECONDS) {
    throw new Error(`${missing.size} seconds of Hacker News lost posts at once: that is not believed`);
  }
  const gone: string[] = [];
  for (const [second, posts] of missing) {
    const again = await readSlice(options, { from: second, to: second + 1 });
    const found = new Set(again.hits.map(({ objectID }) => objectID));
    if (again.isSure) gone.push(...posts.map(({ id }) => id).filter((id) => !found.has(id)));
  }
  return gone;
}
