import { dec, flag, int, iso, list } from "../definition/column.ts";
import { defineDataset, type Given, type OrderKey, type Params } from "../definition/dataset.ts";
import type { Held } from "../definition/coverage.ts";
import { timeLength, dateTime, whole } from "../definition/param-kinds.ts";
import { phrases } from "../definition/phrases-param.ts";
import { SOCIAL_SOURCES } from "../definition/vocabulary.ts";
import { timestampMicros } from "../definition/timestamp.ts";
import { mergeSpans, minutesAt, type Span } from "../definition/spans.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, sql, type Bound, type Sql } from "../definition/sql.ts";
import { visibleAmong, shareOf } from "../derivations/social-read/posts-sql.ts";
import { pageOf, volumePageSql, type Gathered, type VolumeRange } from "../derivations/social-read/volume-sql.ts";
import { socialPosts } from "../tables/social-posts.ts";
import { socialErasures } from "../tables/social-erasures.ts";
import { POST_TABLES, checkSubject, postParams, postsRequestedFor } from "./posts-requested-for.ts";
import { formulaOf } from "./formula-of.ts";

const SECONDS = { "5m": 300, "15m": 900, "1h": 3600, "1d": 86_400 } as const;
const HOUR_MICROS = 3_600_000_000;
const DEFAULT_HOURS = "24";
const DEFAULT_INTERVAL = "1h";

const oldestFirst: OrderKey = orderKey(sql`bucket`, "asc", "seconds", "bucket");

const secondsOf = ({ interval }: Given<Params>): number =>
  SECONDS[String(interval?.value ?? DEFAULT_INTERVAL) as keyof typeof SECONDS];

/** For coverage: the first bucket of a range is complete, and the last one is cut at its end. */
const wholeAt = (p: Given<Params>, ms: number): Span => ({ from: minutesAt(ms, secondsOf(p) / 60).from, to: ms });

function rangeOf(p: Given<Params>, now: Bound): VolumeRange {
  const end = p["end_time"] ? timestampMicros(p["end_time"]) : Number.POSITIVE_INFINITY;
  const toMicros = Math.min(end, Number(now.value));
  const hours = Number(p["hours_back"]?.value ?? DEFAULT_HOURS);
  return {
    fromMicros: p["start_time"] ? timestampMicros(p["start_time"]) : toMicros - hours * HOUR_MICROS,
    toMicros,
    seconds: secondsOf(p),
  };
}

function gatheredOf(sources: Bound | undefined, held: Held = {}): Gathered {
  const names = (sources?.value ?? SOCIAL_SOURCES) as readonly string[];
  const each = names.map((source) => ({ source, spans: held[source] ?? [] }));
  return { each, any: mergeSpans(each.flatMap(({ spans }) => spans)) };
}

const SPAN_S: Sql = sql`intDiv(till_ms - b * 1000, 1000)`;
/** Null where nothing was gathered and nothing is stored, which is not the same as no posts. */
const known = (value: Sql): Sql => sql`if(covered_ms = 0 AND ifNull(posts, 0) = 0, NULL, ${value})`;
const count = (value: Sql): Sql => known(sql`toInt64(ifNull(${value}, 0))`);

/** (posts an hour + ½) / (posts an hour of the preceding bucket + ½), in integers only. */
const acceleration = (length: Bound): Sql =>
  sql`if(${SPAN_S} = 0 OR covered_ms = 0 OR covered_before_ms = 0, NULL, ${shareOf(sql`(7200 * ifNull(posts, 0) + ${SPAN_S}) * ${length}`, sql`((7200 * ifNull(posts_before, 0) + ${length}) * ${SPAN_S})`)})`;

export const socialVolume = defineDataset({
  agentId: 1007,
  name: "social-volume",
  title: "Social volume",
  summary:
    "Volume of posts about keywords or a market per bucket, oldest first. A bucket without posts is a row with 0; one in which nothing was collected is a row with null.",
  plan: "free",
  params: {
    keywords: phrases()
      .alias("keyword", "query")
      .describe("Phrases, as {NHL,hockey,Stanley Cup}, read as in social-pulse. This or condition_id is required."),
    condition_id: postParams.condition_id,
    interval: timeLength(...Object.keys(SECONDS))
      .default(DEFAULT_INTERVAL)
      .describe("Length of a bucket, in UTC."),
    hours_back: whole(1, 8760)
      .default(DEFAULT_HOURS, "start_time")
      .describe("Hours before now, or before end_time; start_time takes precedence."),
    start_time: dateTime("start").describe("A timestamp within the first bucket."),
    end_time: dateTime("end").alias("as_of").describe("Last timestamp, inclusive; later reactions do not count."),
    source: postParams.source,
    lang: postParams.lang,
  },
  row: {
    bucket: iso().describe("Start of the bucket, by the clock of the sources."),
    bucket_seconds: int().describe(
      "Length of the bucket; the last one ends at end_time or now, and has 0 seconds if it begins there.",
    ),
    covered_seconds: int().describe("Seconds in which at least one requested source was collected."),
    sources_down: list().describe(
      "Requested sources that were off, or not collected for more than a minute of the bucket: posts they had then are not counted.",
    ),
    is_whole: flag().describe("No requested source was down."),
    posts: int().maybe("Matching posts, each once. 0: no posts. Null: no requested source was collected."),
    authors: int().maybe("Distinct authors, counted per source."),
    author_diversity_pct: dec(1, "percent").maybe("authors / posts · 100; null without posts."),
    acceleration: dec(2).maybe(
      "(posts per hour + ½) / (posts per hour of the bucket before + ½); null if nothing was collected in one of them.",
    ),
    sentiment_mean: dec(4).maybe("Mean polarity, −1 to 1, of the posts that have one (English); null without any."),
    sentiment_balance: int().maybe("Posts with a polarity of 0.05 or more, minus those of −0.05 or less."),
    buy_yes: int().maybe("Posts that recommend buying Yes, or report it."),
    buy_no: int().maybe("Posts that recommend buying No, or report it."),
    up: int().maybe("Posts that expect a higher price."),
    down: int().maybe("Posts that expect a lower price."),
    engagement: int().maybe(
      "Likes + 2 · reposts + replies + quotes of the bucket's posts, up to end_time if the source reports them one by one.",
    ),
  },
  limit: { default: 200, max: 1000 },
  cost: { base: 2, each: 0.1, days: 30 },
  isDeep: true,
  order: "bucket ascending",
  tables: POST_TABLES,
  alsoReads: [socialErasures],
  held: socialPosts,
  venues: { param: "source", all: SOCIAL_SOURCES },
  range: { from: "start_time", to: "end_time", hours: "hours_back", wholeAt },
  cursorHours: 2,
  check: checkSubject,
  prepare: (p, asking, read) =>
    visibleAmong(read, pageOf(rangeOf(p, asking.now), asking).within, postsRequestedFor(p, asking)),
  query: (p, asking) => {
    const range = rangeOf(p, asking.now);
    return {
      select: {
        bucket_seconds: SPAN_S,
        covered_seconds: sql`intDiv(covered_ms, 1000)`,
        sources_down: sql`down`,
        is_whole: sql`toBool(empty(down))`,
        posts: count(sql`posts`),
        authors: count(sql`authors`),
        author_diversity_pct: shareOf(sql`ifNull(authors, 0) * 100`, sql`ifNull(posts, 0)`),
        acceleration: acceleration(bind("Int64", range.seconds)),
        sentiment_mean: sql`if(ifNull(judged, 0) = 0, NULL, CAST(polarity, 'Nullable(Decimal(38, 12))') / toInt128(judged))`,
        sentiment_balance: count(sql`balance`),
        buy_yes: count(sql`buying_yes`),
        buy_no: count(sql`buying_no`),
        up: count(sql`going_up`),
        down: count(sql`going_down`),
        engagement: count(sql`engagement`),
      },
      from: volumePageSql(range, postsRequestedFor(p, asking), gatheredOf(p.source, asking.held), asking),
      order: [oldestFirst],
      isPaged: true,
    };
  },
  formula: formulaOf("social-volume"),
  notes: [
    "0 means no posts, null means nothing collected: do not sum them alike.",
    "Counts of a market depend on matching, which misses most posts that do not name its question: read changes, not levels.",
  ],
  related: [585, 596],
  guide: "social",
  examples: [
    {
      title: "A word on Bluesky, by the hour",
      params: { keywords: "{<word>}", source: "bluesky", hours_back: "1" },
    },
    {
      title: "Posts about a market, by the quarter of an hour",
      params: {
        condition_id: "<talked_condition>",
        interval: "15m",
        hours_back: "1",
        source: "bluesky",
      },
    },
  ],
});
