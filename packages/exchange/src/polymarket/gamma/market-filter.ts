import type { PolymarketMarket } from "../../world/contract.ts";
import { flag, many, momentMs, numeric, one, type Query } from "../query-values.ts";

type Test = (market: PolymarketMarket) => boolean;

/**
 * The filters of Gamma's market lists as one test. `closed` defaults to false, so resolved markets need `closed=true`
 * even when asked for by id.
 */
export function marketFilter(query: Query): Test {
  const tests: Test[] = [];
  const closed = flag(query, "closed") ?? false;
  tests.push((market) => market.active && market.closed === closed);
  oneOf(tests, many(query, "id"), (market) => [market.id]);
  oneOf(tests, many(query, "slug"), (market) => [market.slug]);
  oneOf(tests, many(query, "condition_ids").map(lower), (market) => [market.condition_id]);
  oneOf(tests, many(query, "question_ids").map(lower), (market) => [market.question_id]);
  oneOf(tests, many(query, "clob_token_ids"), (market) => market.token_ids);
  oneOf(tests, many(query, "uma_resolution_status"), (market) => [market.uma_status]);
  within(tests, query, "volume_num", (market) => market.volume_micro / 1_000_000);
  within(tests, query, "liquidity_num", (market) => market.liquidity_micro() / 1_000_000);
  between(tests, query, "start_date", (market) => market.start_ms);
  between(tests, query, "end_date", (market) => market.end_ms);
  const tags = many(query, "tag_id");
  const wanted = one(query, "tag_match") === "all" ? "every" : "some";
  if (tags.length > 0) {
    tests.push((market) => tags[wanted]((id) => market.event.tags.some((tag) => tag.id === id)));
  }
  return (market) => tests.every((test) => test(market));
}

function oneOf(
  tests: Test[],
  wanted: readonly string[],
  values: (market: PolymarketMarket) => readonly string[],
): void {
  if (wanted.length === 0) return;
  const set = new Set(wanted);
  tests.push((market) => values(market).some((value) => set.has(value)));
}

function within(tests: Test[], query: Query, name: string, value: (market: PolymarketMarket) => number): void {
  const low = numeric(query, `${name}_min`);
  const high = numeric(query, `${name}_max`);
  if (low !== undefined) tests.push((market) => value(market) >= low);
  if (high !== undefined) tests.push((market) => value(market) <= high);
}

function between(tests: Test[], query: Query, name: string, value: (market: PolymarketMarket) => number): void {
  const low = momentMs(query, `${name}_min`);
  const high = momentMs(query, `${name}_max`);
  if (low !== undefined) tests.push((market) => value(market) >= low);
  if (high !== undefined) tests.push((market) => value(market) <= high);
}

function lower(text: string): string {
  return text.toLowerCase();
}
