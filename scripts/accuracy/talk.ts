import { createWorld } from "../../packages/exchange/src/world/create-world.ts";
import type { Post } from "../../packages/exchange/src/world/social-contract.ts";
import type { World } from "../../packages/exchange/src/world/world.ts";
import { textTable } from "../../packages/server/src/cli/text-table.ts";
import { createMatcher, type Matcher } from "../../packages/server/src/derivations/social/create-matcher.ts";
import type { Accuracy, WorldSize } from "./accuracy.ts";

const DAY_MS = 86_400_000;
const PRESENT_MS = Date.UTC(2026, 5, 1);

type Kind = Post["naming"] | "all";
type Counts = {
  readonly seed: number;
  readonly kind: Kind;
  posts: number;
  about: number;
  named: number;
  right: number;
};

const share = (part: number, whole: number): string => (whole === 0 ? "-" : (part / whole).toFixed(3));

/**
 * Precision and recall of matching on what people of the paper worlds say in English, pairs of a post and a market. The
 * world counts open markets alone; one that closed less than a day before is matched too, and counts neither way.
 */
export const accuracyOfTalk: Accuracy = async (worlds) => {
  const counts = worlds.flatMap((size) => countsOf(size));
  const rows = counts.map(({ seed, kind, posts, about, named, right }) => [
    ...[seed, kind, posts, about, named, right].map(String),
    share(right, named),
    share(right, about),
  ]);
  const head = ["SEED", "TEXT NAMES", "POSTS", "ABOUT", "NAMED", "RIGHT", "PRECISION", "RECALL"];
  return { text: textTable(head, rows), value: counts };
};

function countsOf({ seed, days, events }: WorldSize): Counts[] {
  const world = createWorld({ seed, days, clock: () => PRESENT_MS, ...(events !== undefined && { events }) });
  const matcher = matcherOf(world);
  const closes = new Map<string, number>(
    world.polymarket.markets.map(({ condition_id, closed_ms }) => [
      condition_id,
      closed_ms ?? Number.POSITIVE_INFINITY,
    ]),
  );
  const byKind = new Map<Kind, Counts>();
  for (const post of world.posts) {
    if (post.langs.length > 0 && !post.langs.includes("en")) continue;
    const about = new Set<string>(post.condition_ids);
    const named = matcher
      .match(post.text, post.created_ms)
      .map(({ condition_id }) => condition_id)
      .filter((one) => about.has(one) || (closes.get(one) ?? 0) > post.created_ms);
    for (const kind of ["all", post.naming] as const) {
      const counts = byKind.get(kind) ?? { seed, kind, posts: 0, about: 0, named: 0, right: 0 };
      counts.posts += 1;
      counts.about += about.size;
      counts.named += named.length;
      counts.right += named.filter((one) => about.has(one)).length;
      byKind.set(kind, counts);
    }
  }
  return [...byKind.values()];
}

function matcherOf({ polymarket }: World): Matcher {
  return createMatcher(
    polymarket.markets.map(({ condition_id, question, event, created_ms, closed_ms, end_ms }) => ({
      condition_id,
      question,
      event_slug: event.slug,
      event_title: event.title,
      tags: event.tags.map(({ label }) => label),
      opened_ms: created_ms,
      closed_ms: closed_ms === null ? Number.MAX_SAFE_INTEGER : closed_ms + DAY_MS,
      ends_ms: end_ms,
    })),
  );
}
