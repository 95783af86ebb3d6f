import { dec, id, int, iso, list, text } from "../definition/column.ts";
import { defineDataset, type Asking, type Given, type OrderKey, type Params } from "../definition/dataset.ts";
import { dateTime, slug, whole } from "../definition/param-kinds.ts";
import { phrases } from "../definition/phrases-param.ts";
import { SOCIAL_SOURCES } from "../definition/vocabulary.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, sql, type Sql } from "../definition/sql.ts";
import { visibleAmong, shareOf } from "../derivations/social-read/posts-sql.ts";
import { pulsePageSql, withinSql, type PulseWindow } from "../derivations/social-read/pulse-sql.ts";
import { POST_TABLES, checkSubject, postParams, postsRequestedFor } from "./posts-requested-for.ts";
import { conditionsBySlug } from "./named-markets.ts";
import { formulaOf } from "./formula-of.ts";
import { socialErasures } from "../tables/social-erasures.ts";

const DEFAULT_HOURS = "12";

const newestFirst: OrderKey[] = [
  orderKey(sql`ts`, "desc", "millis", "indexed_at"),
  orderKey(sql`toString(source)`, "asc", "text", "source"),
  orderKey(sql`id`, "asc", "text", "id"),
];

/** The window ends now, or at a past time. */
function windowOf({ as_of: asOf, hours_back: hours }: Given<Params>, { now }: Asking): PulseWindow {
  const clock = sql`fromUnixTimestamp64Micro(${now}, 'UTC')`;
  return {
    to: asOf ? sql`least(${asOf}, ${clock})` : clock,
    hours: hours ?? bind("Int64", Number(DEFAULT_HOURS)),
  };
}

/** Sum of the count fetched with the post and of those delivered one by one; null for sources without such a count. */
const counted = (fetched: Sql, reported: Sql, without: Sql): Sql =>
  sql`if(source IN (${without}), NULL, toInt64(${fetched}) + toInt64(${reported}))`;

const pct = (part: Sql, all: Sql): Sql => shareOf(sql`${part} * 100`, all);

export const socialPulse = defineDataset({
  agentId: 585,
  name: "social-pulse",
  title: "Social pulse",
  summary:
    "Posts, comments and articles that contain one of the keywords, newest first, each with the figures of the whole window.",
  plan: "free",
  params: {
    keywords: phrases()
      .alias("keyword", "query")
      .describe(
        "Phrases, as {NHL,hockey,Stanley Cup}: a post with any of them counts once. Whole words in any letter case, split at anything but letters and digits. This, condition_id or market_slug is required.",
      ),
    hours_back: whole(1, 87_600)
      .default(DEFAULT_HOURS)
      .describe("Length of the window in hours; it ends now, or at as_of."),
    source: postParams.source,
    condition_id: postParams.condition_id,
    lang: postParams.lang,
    market_slug: slug().list().alias("slug").describe("Slugs of markets; condition_id takes precedence."),
    as_of: dateTime("end")
      .untilToday()
      .describe(
        "End of the window, inclusive; later reactions do not count. Posts removed since then are still omitted.",
      ),
  },
  named: conditionsBySlug,
  row: {
    id: id().describe("Id at the source."),
    content: text().describe("Text without markup."),
    username: text().describe("Name of the author; their id if the source gives no name."),
    url: text().describe("Web address of the post."),
    created_on: iso().describe("When it was written, according to its author; never after indexed_at."),
    like_count: int().maybe(
      "Likes (points on Hacker News) up to as_of if the source reports them one by one (Bluesky), else as last fetched. Null if the source has none.",
    ),
    retweet_count: int().maybe("Reposts, likewise."),
    reply_count: int().maybe("Replies, likewise."),
    quote_count: int().maybe("Quotes, likewise."),
    tweet_count: int().describe(
      "n: matching posts of the window, each once. Covers the whole window, as do the next four.",
    ),
    acceleration: dec(2).describe(
      "(n1 + ½) / (n / hours_back + ½), where n1 = posts of the window's last hour; above 1 there are more posts than before.",
    ),
    author_diversity_pct: dec(1, "percent").describe("Distinct authors / n · 100; authors are counted per source."),
    pct_last_1h: dec(1, "percent").describe("Posts of the window's last hour / n · 100."),
    pct_last_6h: dec(1, "percent").describe("Posts of the window's last six hours / n · 100."),
    source: text().describe("bluesky, hackernews, gdelt or x."),
    indexed_at: iso().describe("When the source received it, by the source's clock; the order and the window use it."),
    lang: text().maybe("Language, ISO 639-1; null if unknown."),
    sentiment: dec(4).maybe(
      "Polarity of the words, −1 to 1, excluding market terms (yes, win, bet, odds); null unless English.",
    ),
    stance: text().describe(
      "Action it recommends or move it expects: buy_yes, buy_no, up, down, none. Not its polarity.",
    ),
    condition_ids: list().describe("Polymarket markets it is about, among those open when it was posted."),
  },
  limit: { default: 200, max: 1000 },
  cost: { base: 2, each: 0.1, days: 30 },
  isDeep: true,
  order: "indexed_at descending, then source, then id",
  tables: POST_TABLES,
  alsoReads: [socialErasures],
  venues: { param: "source", all: SOCIAL_SOURCES },
  range: { to: "as_of", hours: "hours_back" },
  cursorHours: 2,
  check: checkSubject,
  prepare: (p, asking, read) => visibleAmong(read, withinSql(windowOf(p, asking)), postsRequestedFor(p, asking)),
  query: (p, asking) => {
    const window = windowOf(p, asking);
    const requested = postsRequestedFor(p, asking);
    const [posts, authors, lastHour, lastSix] = [sql`posts`, sql`authors`, sql`last_hour`, sql`last_six`];
    return {
      select: {
        content: sql`body`,
        like_count: counted(sql`like_count`, sql`liked`, sql`'gdelt'`),
        retweet_count: counted(sql`retweet_count`, sql`reposted`, sql`'gdelt', 'hackernews'`),
        reply_count: counted(sql`reply_count`, sql`replied`, sql`'gdelt'`),
        quote_count: counted(sql`quote_count`, sql`quoted`, sql`'gdelt', 'hackernews'`),
        tweet_count: posts,
        acceleration: shareOf(sql`${window.hours} * (2 * ${lastHour} + 1)`, sql`(2 * ${posts} + ${window.hours})`),
        author_diversity_pct: pct(authors, posts),
        pct_last_1h: pct(lastHour, posts),
        pct_last_6h: pct(lastSix, posts),
        source: sql`toString(source)`,
        indexed_at: sql`ts`,
        lang: sql`nullIf(toString(lang), '')`,
        stance: sql`toString(stance)`,
      },
      from: pulsePageSql(requested, window, asking, newestFirst),
      order: newestFirst,
      isPaged: true,
    };
  },
  formula: formulaOf("social-pulse"),
  notes: [
    "Posts are kept for 30 days, those about no market for a week, unless the operator chose otherwise; coverage gives the time before which posts are deleted.",
    "GDELT and X are queried only for what open markets name, not for everything.",
    "Posts are matched to markets by their words, which is wrong in about four of ten cases on real posts: see the guide.",
  ],
  related: [1007, 596, 575],
  guide: "social",
  examples: [
    {
      title: "A word on Bluesky in the last hour",
      params: { keywords: "{<word>}", source: "bluesky", hours_back: "1" },
    },
    {
      title: "A day of every source up to a given time",
      params: { keywords: "<word>,rate cut", hours_back: "24", as_of: "<ten_minutes_ago>" },
    },
    {
      title: "Posts about a market",
      params: {
        condition_id: "<talked_condition>",
        hours_back: "1",
        source: "bluesky",
      },
    },
  ],
});
