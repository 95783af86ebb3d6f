import { dec, flag, id, int, iso, num, real, text, tokenId, twelveDigits } from "../definition/column.ts";
import { defineDataset, type Given, type OrderKey, type Params } from "../definition/dataset.ts";
import { isIn, storedAs } from "../definition/filter.ts";
import {
  chance,
  choice,
  timeLength,
  condition,
  decimal,
  minOf,
  dateTime,
  token,
  whole,
} from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { minutesAt, type Span } from "../definition/spans.ts";
import { bind, sql, type Bound, type Sql } from "../definition/sql.ts";
import { candleJumpsSql, robustJumpsSql, type JumpsRequested } from "../derivations/price-changes/jumps-sql.ts";
import { MIN_PCT } from "../derivations/price-changes/write-change.ts";
import { PRICE_RESOLUTIONS } from "../derivations/price-changes/buckets.ts";
import { postsNear } from "../derivations/social-read/posts-near-sql.ts";
import { polymarketTokens, textOfToken } from "../tables/polymarket-tokens.ts";
import { priceChanges } from "../tables/price-changes.ts";
import { socialMentions } from "../tables/social-mentions.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";
import { formulaOf } from "./formula-of.ts";

const RESOLUTIONS = Object.keys(PRICE_RESOLUTIONS) as (keyof typeof PRICE_RESOLUTIONS)[];
const float = (value: Bound): Sql => sql`toFloat64(${value})`;

const unique: OrderKey[] = [
  orderKey(sql`jump_time`, "desc", "seconds", "jump_time"),
  orderKey(sql`token_id`, "asc", "token", "token_id"),
];
const largestFirst: OrderKey[] = [
  {
    by: sql`abs(pct)`,
    direction: "desc",
    stored: storedAs.decimal,
    value: (row) => String(row["change_pct"]).replace("-", ""),
  },
  ...unique,
];
const leastLikelyFirst: OrderKey[] = [
  { by: sql`p_value`, direction: "asc", stored: float, value: (row) => Number(row["p_value"]) },
  ...unique,
];

const resolutionOf = ({ resolution }: Given<Params>): (typeof RESOLUTIONS)[number] =>
  RESOLUTIONS.find((name) => name === resolution?.value) ?? "1h";

/** For coverage: the first bucket of a range begins in it, and the last may end after it. */
const wholeAt = (p: Given<Params>, ms: number): Span => ({
  from: ms,
  to: minutesAt(ms, PRICE_RESOLUTIONS[resolutionOf(p)] / 60).to,
});

/** The requested range: as sent, else the hours that end now or at `end_time`. */
function rangeOf(p: Given<Params>, now: Bound): { readonly from: Sql; readonly to: Sql; readonly now: Sql } {
  const clock = sql`fromUnixTimestamp64Micro(${now}, 'UTC')`;
  const to = p["end_time"] ? sql`${p["end_time"]}` : clock;
  const hours = p["lookback_hours"] ?? bind("Int64", 24);
  return { from: p["start_time"] ? sql`${p["start_time"]}` : sql`${to} - toIntervalHour(${hours})`, to, now: clock };
}

function requestedOf(p: Given<Params>, now: Bound): JumpsRequested {
  const resolution = resolutionOf(p);
  const { token_id: tokens, condition_id: conditions } = p;
  const only = [
    ...(tokens ? [isIn("token_id", "token", tokens)] : []),
    ...(conditions
      ? [
          sql`token_id IN (SELECT token_id FROM ${polymarketTokens} WHERE ${isIn("condition_id", "condition", conditions)})`,
        ]
      : []),
  ];
  return {
    ...rangeOf(p, now),
    resolution,
    only,
    minPct: p["min_change_pct"] ?? bind("Decimal64(6)", String(MIN_PCT)),
    maxP: p["max_p_value"],
  };
}

export const priceJumps = defineDataset({
  agentId: 596,
  name: "price-jumps",
  title: "Price jumps",
  summary:
    "Price jumps: buckets that closed far from the previous close (candle), or moves that are unlikely given the market's usual returns (robust).",
  plan: "free",
  params: {
    token_id: token().list().describe("Outcome token; ALL scans every token."),
    condition_id: condition().list().describe("Market: both of its tokens."),
    resolution: timeLength(...RESOLUTIONS)
      .default("1h")
      .describe("Length of a bucket, in UTC."),
    min_change_pct: minOf(decimal(MIN_PCT, 1_000_000), MIN_PCT)
      .default("10")
      .off()
      .describe("Minimum change, up or down, in percent of price_before; 1, the lowest possible, when off."),
    lookback_hours: whole(1, 8760)
      .default("24", "start_time")
      .describe("Hours before now, or before end_time; start_time takes precedence."),
    method: choice("candle", "robust")
      .default("candle")
      .describe("candle: close against close. robust: the test described at p_value, on quotes where available."),
    max_p_value: chance().describe("Maximum p-value; rows without one are omitted."),
    start_time: dateTime("start").describe("First timestamp, inclusive."),
    end_time: dateTime("end").describe("Last timestamp, inclusive."),
  },
  row: {
    jump_time: iso().describe("Start of the bucket; for a robust move over several buckets, of the first."),
    condition_id: id().maybe("Market; null until it is known."),
    token_id: tokenId().describe("Outcome token."),
    outcome: text().maybe("Label of the outcome; null until the market is known."),
    price_before: dec(4, "USD per share").describe(
      "candle: close of the last earlier bucket with a trade. robust: mid of the last quotes before the move, or the last trade where there are no quotes.",
    ),
    price_after: dec(4, "USD per share").describe("The same at the end of the bucket or the move."),
    change_pct: dec(2, "percent").describe("(price_after − price_before) / price_before · 100; negative = drop."),
    direction: text().describe("up or down."),
    volume: dec(2, "shares").describe("Shares traded in the bucket, or during the move; each match counts once."),
    trade_count: int().describe("Trades in the bucket, or during the move."),
    statistic: twelveDigits().maybe(
      "Signed. r = change of logit(price) from bucket to bucket, prices kept 0.0005 from 0 and 1; σ̂² = Σ|r_j||r_j−1| / (n − 2) over the window before, or its last 20 buckets if that is more, both shrunk toward the usual level. Lee–Mykland: r/σ̂. If a move over several buckets is less likely: its cumulative sum, Σ r/(σ̂√(π/2)) minus 1 per bucket. A move counts at most as many scales as it has half cents. Null with fewer than 2 returns in the window.",
    ),
    p_value: num().maybe(
      "Probability of a move this large within the window if there is no jump: the lesser of Lee–Mykland's 1 − exp(−exp(−(|L| − C_n)/S_n)) and, for the cumulative sum S, 1 − exp(−2n/ARL) with Siegmund's ARL = (e^2h − 2h − 1)/2, h = S + 1.166; doubled, because two are tested. Assumes normal returns; real ones have heavier tails. Null if statistic is.",
    ),
    q_value: num().maybe(
      "Benjamini–Hochberg: expected share of false ones among this and all less likely moves, over all markets of the queried range before min_change_pct and max_p_value. Null in candle, which tests nothing.",
    ),
    reverted: flag().maybe(
      "Half of the change was reversed within the next ten buckets; null while that may still happen.",
    ),
    volume_ratio: real().maybe(
      "Shares per bucket / the usual number in the window before. robust omits moves below 0.1: volume must confirm. Null if nothing was traded before.",
    ),
    posts_near: int().maybe(
      "Posts about the market within an hour before and after jump_time. Null if no social source was collected for all of that time, or until the market is known.",
    ),
  },
  limit: { default: 100, max: 1000 },
  cost: { base: 3, days: 60 },
  order: "|change_pct| descending (candle), p_value ascending (robust), then jump_time descending, token_id",
  tables: [priceChanges, polymarketTokens],
  alsoReads: [polymarketMarkets, polymarketResolutions],
  venue: "polymarket",
  range: { from: "start_time", to: "end_time", hours: "lookback_hours", wholeAt },
  held: socialMentions,
  query: (p, { now, held }) => {
    const requested = requestedOf(p, now);
    const near = postsNear(held, requested, p.condition_id ? [isIn("condition_id", "condition", p.condition_id)] : []);
    const isRobust = p.method?.value === "robust";
    const jumps = isRobust ? robustJumpsSql(requested) : candleJumpsSql(requested);
    return {
      select: {
        condition_id: textOfToken("condition_id", sql`token_id`),
        outcome: textOfToken("outcome", sql`token_id`),
        change_pct: sql`pct`,
        direction: sql`if(pct > 0, 'up', 'down')`,
        posts_near: near?.count(sql`jump_time`) ?? sql`CAST(NULL, 'Nullable(Int32)')`,
      },
      from: sql`(${near?.beside(jumps, textOfToken("condition_id", sql`token_id`)) ?? jumps})`,
      order: isRobust ? leastLikelyFirst : largestFirst,
    };
  },
  formula: formulaOf("price-jumps"),
  notes: [
    "In candle, percent is relative to price_before: 0.01 to 0.02 is +100 %. robust uses log-odds and is not inflated near 0.",
    "The newest bucket is incomplete: its row may change or disappear.",
  ],
  related: [568, 575, 1007],
  guide: "jumps",
  examples: [
    { title: "The largest hourly changes of the last day", params: { token_id: "ALL" } },
    {
      title: "Moves of five-minute buckets unlikely to be chance",
      params: { token_id: "ALL", method: "robust", resolution: "5m", max_p_value: "1e-9" },
    },
  ],
});
