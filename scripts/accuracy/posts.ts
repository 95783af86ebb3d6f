import { textTable } from "../../packages/server/src/cli/text-table.ts";
import { loadMarkets, type LabelledMarket } from "../../packages/server/test/social/labels/load-markets.ts";
import { halfOf, loadLabelledPosts, type LabelledPost } from "../../packages/server/test/social/labels/load-posts.ts";
import {
  LEVELS,
  measureMatcher,
  type Case,
  type Level,
  type Match,
  type Measured,
} from "../../packages/server/test/social/labels/measure-matcher.ts";
import { naiveMatch } from "../../packages/server/test/social/labels/naive-match.ts";
import { ourMatch } from "../../packages/server/test/social/labels/our-match.ts";
import type { Accuracy } from "./accuracy.ts";
import { wilson } from "./posts/wilson.ts";

const HEADINGS = [
  "POSTS",
  "",
  "LEVEL",
  "MATCHER",
  "ABOUT",
  "NAMED",
  "RIGHT",
  "PRECISION",
  "95 %",
  "RECALL",
  "DOUBTFUL",
];
/** A third of what posts are about is the campaign of 2024; figures without it tell more of names. */
const CAMPAIGN = "pres24";
const EXCERPT = 140;

type Part = {
  readonly name: string;
  readonly posts: readonly LabelledPost[];
  readonly matchers: Readonly<Record<string, Match>>;
};

type Row = {
  readonly part: string;
  readonly level: Level;
  readonly matcher: string;
  readonly figures: Measured;
};

/** Precision and recall of matching on labelled posts; what is wrong is listed for the tuning half alone. */
export const accuracyOfPosts: Accuracy = async () => {
  const markets = loadMarkets();
  const posts = loadLabelledPosts();
  const measured = partsOf(posts, markets).flatMap((part) =>
    LEVELS.flatMap((level) =>
      Object.entries(part.matchers).map(([matcher, match]) => {
        const figures = measureMatcher(match, part.posts, markets, level);
        return { part: part.name, level, matcher, figures };
      }),
    ),
  );
  const table = textTable(HEADINGS, measured.map(toRow));
  const texts = new Map(posts.map(({ row, text }) => [row, text]));
  const tuning = measured.filter(({ part, matcher }) => part === "tuning" && matcher === "ours");
  const lists = tuning.flatMap(({ level, figures }) => [
    listOf(`Wrong in the tuning half, by ${level}`, figures.wrong, texts),
    listOf(`Missed in the tuning half, by ${level}`, figures.missed, texts),
  ]);
  const value = measured.map(({ part, level, matcher, figures: { wrong: _wrong, missed: _missed, ...figures } }) =>
    Object.assign({ part, level, matcher }, figures),
  );
  return { text: [table, ...lists].join("\n\n"), value };
};

function toRow({ part, level, matcher, figures }: Row): unknown[] {
  const { posts, about, named, right, precision, recall, doubtful } = figures;
  const counts = [about, named, right].map(String);
  return [
    part,
    String(posts),
    level,
    matcher,
    ...counts,
    shown(precision),
    intervalOf(right, named),
    shown(recall),
    String(doubtful),
  ];
}

function partsOf(posts: readonly LabelledPost[], markets: readonly LabelledMarket[]): Part[] {
  const ours = ourMatch(markets);
  const both = { ours, naive: naiveMatch(markets) };
  const heldOut = posts.filter((post) => halfOf(post) === "held out");
  const tuning = posts.filter((post) => halfOf(post) === "tuning");
  const second = posts.filter((post) => halfOf(post) === "second");
  const strata = ["random", "entity", "named"] as const;
  const apart = { ours: leaveOut(CAMPAIGN, ours, markets) };
  return [
    { name: "tuning", posts: tuning, matchers: both },
    { name: "held out", posts: heldOut, matchers: both },
    { name: "fresh", posts: posts.filter((post) => halfOf(post) === "fresh"), matchers: both },
    { name: "second", posts: second, matchers: both },
    { name: `tuning, without ${CAMPAIGN}`, posts: tuning.map(unlabelled), matchers: apart },
    { name: `held out, without ${CAMPAIGN}`, posts: heldOut.map(unlabelled), matchers: apart },
    { name: `second, without ${CAMPAIGN}`, posts: second.map(unlabelled), matchers: apart },
    ...strata.map((stratum) => ({
      name: `both halves, ${stratum}`,
      posts: posts.filter((post) => post.stratum === stratum),
      matchers: { ours },
    })),
  ];
}

const isCampaign = (key: string): boolean => key.split(":", 1)[0] === CAMPAIGN;

const unlabelled = (post: LabelledPost): LabelledPost => ({
  ...post,
  about: (post.about ?? []).filter((key) => !isCampaign(key)),
  doubtful: (post.doubtful ?? []).filter((key) => !isCampaign(key)),
});

function leaveOut(key: string, match: Match, markets: readonly LabelledMarket[]): Match {
  const left = new Set(markets.filter((market) => market.key === key).map(({ conditionId }) => conditionId));
  return (post) => match(post).filter(({ conditionId }) => !left.has(conditionId));
}

const shown = (value: number | null): string => (value === null ? "-" : value.toFixed(3));

const intervalOf = (part: number, of: number): string => (of === 0 ? "-" : wilson(part, of).map(shown).join("–"));

const listOf = (title: string, cases: readonly Case[], texts: ReadonlyMap<number, string>): string =>
  [
    `${title} (${cases.length})`,
    ...cases.map(({ row, key, term }) => {
      const text = (texts.get(row) ?? "").replaceAll(/\s+/g, " ").slice(0, EXCERPT);
      return `  ${row}  ${key}${term === "" ? "" : ` [${term}]`}  ${text}`;
    }),
  ].join("\n");
