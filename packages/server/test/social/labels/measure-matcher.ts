import type { LabelledMarket } from "./load-markets.ts";
import type { LabelledPost } from "./load-posts.ts";

/** One match in a post: the market, and the term found. */
export type Found = { readonly conditionId: string; readonly term: string };
/** Finds the markets that a post is about among those open at its time. */
export type Match = (post: { readonly text: string; readonly tsMs: number }) => readonly Found[];

export const LEVELS = ["event", "market"] as const;
export type Level = (typeof LEVELS)[number];

/** One match or miss: the post, the event or market, and the matching term. */
export type Case = { readonly row: number; readonly key: string; readonly term: string };

export type Measured = {
  readonly posts: number;
  /** Number of labels by people. */
  readonly about: number;
  /** Number of the matcher's finds, without those that people doubt. */
  readonly named: number;
  readonly right: number;
  /** Found by the matcher and doubted by people: counted neither right nor wrong. */
  readonly doubtful: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly wrong: readonly Case[];
  readonly missed: readonly Case[];
};

/** Precision and recall of a matcher on labelled posts, by events or by markets. */
export function measureMatcher(
  match: Match,
  posts: readonly LabelledPost[],
  markets: readonly LabelledMarket[],
  level: Level,
): Measured {
  const byId = new Map(markets.map((market) => [market.conditionId, market]));
  const judges = posts.map((post) => judgeOf(post, markets, level));
  const wrong: Case[] = [];
  const missed: Case[] = [];
  let right = 0;
  let doubtful = 0;
  for (const [index, post] of posts.entries()) {
    const judge = judges[index]!;
    const found = new Map<string, string>();
    for (const one of match(post)) {
      const market = byId.get(one.conditionId);
      if (market === undefined) throw new Error(`the matcher found ${one.conditionId}, which is no labelled market`);
      found.set(level === "event" ? market.key : nameOf(market), one.term);
    }
    for (const [key, term] of found) {
      if (judge.about.has(key)) right += 1;
      else if (judge.isDoubtful(key)) doubtful += 1;
      else wrong.push({ row: post.row, key, term });
    }
    for (const key of judge.about) if (!found.has(key)) missed.push({ row: post.row, key, term: "" });
  }
  const about = judges.reduce((sum, judge) => sum + judge.about.size, 0);
  const named = right + wrong.length;
  const share = (of: number): number | null => (of === 0 ? null : right / of);
  return {
    posts: posts.length,
    about,
    named,
    right,
    doubtful,
    precision: share(named),
    recall: share(about),
    wrong,
    missed,
  };
}

const nameOf = (market: LabelledMarket): string => (market.group === "" ? market.key : `${market.key}:${market.group}`);
const eventOf = (key: string): string => key.split(":", 1)[0] ?? key;

type Judge = { readonly about: ReadonlySet<string>; readonly isDoubtful: (key: string) => boolean };

/**
 * The expected result for a post. At market level, an event that is doubtful or labelled without naming its markets
 * excludes all of its markets.
 */
function judgeOf(post: LabelledPost, markets: readonly LabelledMarket[], level: Level): Judge {
  const about = post.about ?? [];
  const doubted = new Set(post.doubtful);
  const events = about.filter((key) => !key.includes(":"));
  if (level === "event") return { about: new Set(events), isDoubtful: (key) => doubted.has(key) };
  const named = about.filter((key) => key.includes(":"));
  const alone = events.filter((key) => markets.some((market) => market.key === key && market.group === ""));
  const open = new Set(events.filter((key) => !alone.includes(key) && !named.some((name) => eventOf(name) === key)));
  return {
    about: new Set([...alone, ...named]),
    isDoubtful: (key) => doubted.has(key) || doubted.has(eventOf(key)) || open.has(eventOf(key)),
  };
}
