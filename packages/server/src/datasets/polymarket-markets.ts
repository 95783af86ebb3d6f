import { flag, hexId, iso, list, num, text, tokenId } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { hasWords, isIn, within, searchedWords } from "../definition/filter.ts";
import {
  bool,
  condition,
  decimal,
  minOf,
  dateTime,
  slug,
  slugsOrWords,
  sorting,
  words,
} from "../definition/param-kinds.ts";
import { between, lowered, oneOf, type ListedTest } from "../definition/listed.ts";
import { listItems } from "../definition/param.ts";
import { bind, given, sql, type Bound, type Sql } from "../definition/sql.ts";
import { byAmount, byMicrosecond, bySecond, orderKey, sortedBy } from "../definition/sorting.ts";
import { asOfSnapshot, newestVersion } from "../definition/table-sql.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";

const MAX_USD = 1_000_000_000_000;
const SORTS = {
  volume_total: byAmount(sql`volume_total`, "volume_total"),
  end_date: bySecond(sql`end_date`, "end_date"),
  start_date: byMicrosecond(sql`start_date`, "start_date"),
  volume_24h: byAmount(sql`volume_24h`, "volume_24h"),
  liquidity: byAmount(sql`liquidity`, "liquidity"),
};
const unique = orderKey(sql`condition_id`, "asc", "hash", "condition_id");

const slugsIn = (requested: Bound): string[] => listItems(String(requested.value).toLowerCase());

/** The markets with these slugs if any is stored; else a search by words and prefixes of slug, question and event. */
function bySlugsOrWords(requested: Bound, from: Sql): Sql {
  const items = slugsIn(requested);
  const isOneOf = isIn("slug", "text", bind("Array(String)", items));
  return sql`if((SELECT count() FROM ${from} WHERE ${isOneOf}) > 0, ${isOneOf}, ${hasWords(sql`search`, requested)})`;
}

const listedBySlugsOrWords = (requested: Bound): ListedTest => ({
  column: "slug",
  oneOf: slugsIn(requested),
  orElse: { column: "search", words: searchedWords(String(requested.value)) },
});

export const polymarketMarketsDataset = defineDataset({
  agentId: 574,
  name: "polymarket-markets",
  title: "Polymarket markets",
  summary: "The catalogue of Polymarket: questions, outcomes and their tokens, dates, volume, prices and results.",
  plan: "free",
  params: {
    min_volume: minOf(decimal(0, MAX_USD)).describe("Minimum total volume in USD."),
    max_volume: decimal(-1, MAX_USD).describe("Maximum total volume in USD."),
    condition_id: condition().list().describe("Market."),
    market_slug: slugsOrWords()
      .alias("slug")
      .describe(
        "Slug or a list of slugs; if no market has any, words and word prefixes of slug, question and event, in any letter case; a misspelt word is replaced by the nearest word, and a warning says so.",
      ),
    event_slug: slug().list().describe("Exact slug of the event."),
    closed: bool().describe("Whether trading has ended."),
    end_date_min: dateTime("start").describe("Earliest scheduled end, inclusive."),
    end_date_max: dateTime("end").describe("Latest scheduled end, inclusive."),
    category: words().describe("Category or the start of a category path, in any letter case."),
    tag: words().describe("A tag's label, in any letter case."),
    sort_by: sorting(...Object.keys(SORTS))
      .default("volume_total")
      .describe("Field to sort rows by."),
    sort_order: sorting("desc", "asc").default("desc").describe("Sort direction."),
  },
  row: {
    condition_id: hexId().describe("Condition."),
    question: text().describe("Question."),
    slug: text().describe("Slug."),
    event_slug: text().describe("Slug of the event; empty if there is none."),
    start_date: iso().maybe("When the market was listed, to the microsecond."),
    end_date: iso().maybe("Scheduled end."),
    closed: flag().describe("Whether trading has ended."),
    closed_date: iso().maybe("When trading ended."),
    volume_total: num("USD").describe("Traded volume, all time."),
    side_a_outcome: text().describe("Label of outcome A (index 0)."),
    side_b_outcome: text().describe("Label of outcome B (index 1)."),
    side_a_token_id: tokenId().describe("Token of outcome A."),
    side_b_token_id: tokenId().describe("Token of outcome B."),
    winning_outcome: text().maybe("Label of the winning outcome; null while unresolved and if both paid half."),
    side_a_price: num("USD per share").maybe("Last known price of outcome A."),
    side_b_price: num("USD per share").maybe("Last known price of outcome B."),
    liquidity: num("USD").describe("Resting liquidity."),
    volume_24h: num("USD").describe("Traded volume of the last 24 hours."),
    category: text().describe("Category path."),
    tags: list().describe("Tag labels."),
    neg_risk: flag().describe("Whether the event is neg-risk."),
    resolution_source: text().describe("Source of the result."),
    updated_at: iso().describe("When the venue last changed the market."),
  },
  limit: { default: 50, max: 1_000 },
  order: "sort_by (volume_total) in sort_order (descending), then condition_id",
  tables: [polymarketMarkets],
  ordered: { from: "end_date_min", to: "end_date_max" },
  snapshot: newestVersion(polymarketMarkets),
  cursorHours: 24,
  isHot: true,
  query: (p, asking) => ({
    from: asOfSnapshot(polymarketMarkets, asking.snapshot),
    where: [
      given(p.min_volume, (usd) => sql`volume_total >= ${usd}`),
      given(p.max_volume, (usd) => sql`volume_total <= ${usd}`),
      given(p.condition_id, (ids) => isIn("condition_id", "condition", ids)),
      given(p.market_slug, (requested) => bySlugsOrWords(requested, asOfSnapshot(polymarketMarkets, asking.snapshot))),
      given(p.event_slug, (slugs) => isIn("event_slug", "text", slugs)),
      given(p.closed, (closed) => sql`closed = ${closed}`),
      ...within(sql`end_date`, p.end_date_min, p.end_date_max),
      given(
        p.category,
        (category) =>
          sql`(lowerUTF8(category) = lowerUTF8(${category}) OR startsWith(lowerUTF8(category), concat(lowerUTF8(${category}), ' / ')))`,
      ),
      given(p.tag, (tag) => sql`arrayExists(one -> lowerUTF8(one) = lowerUTF8(${tag}), tags)`),
    ],
    order: sortedBy(SORTS, { by: p.sort_by, order: p.sort_order }, unique),
    key: sql`condition_id`,
  }),
  listed: {
    table: polymarketMarkets,
    unique: "condition_id",
    columns: {
      condition_id: { kind: "text", form: "hash" },
      slug: { kind: "text" },
      event_slug: { kind: "text" },
      tags: { kind: "texts" },
      search: { kind: "words" },
      category: { kind: "label", form: "lowered" },
      closed: { kind: "label" },
      volume_total: { kind: "amount" },
      volume_24h: { kind: "amount" },
      liquidity: { kind: "amount" },
      start_date: { kind: "moment" },
      end_date: { kind: "moment" },
    },
    order: (p) => sortedBy(SORTS, { by: p.sort_by, order: p.sort_order }, unique),
    tests: (p) => [
      ...between("volume_total", p.min_volume, p.max_volume),
      oneOf("condition_id", p.condition_id),
      p.market_slug && listedBySlugsOrWords(p.market_slug),
      oneOf("event_slug", p.event_slug),
      p.closed && { column: "closed", oneOf: [String(p.closed.value)] },
      ...between("end_date", p.end_date_min, p.end_date_max),
      p.category && { column: "category", path: lowered(p.category) },
      p.tag && { column: "tags", oneOf: [lowered(p.tag)] },
    ],
    searched: { param: "market_slug", column: "search", elseOf: "slug" },
  },
  notes: [
    "Prices and volume are the venue's, as of updated_at; market-360 has our own, at most minutes old.",
    "Paging by cursor stays on the catalogue of its first page for a day.",
  ],
  related: [575, 556, 1105, 1107],
  examples: [
    { title: "The largest open markets", params: { closed: "False", min_volume: "1000" } },
    { title: "A search by words", params: { market_slug: "<market_words>" } },
  ],
});
