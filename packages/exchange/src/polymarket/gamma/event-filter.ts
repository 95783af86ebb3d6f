import type { PolymarketEvent } from "../../world/contract.ts";
import { flag, many, momentMs, numeric, one, type Query } from "../query-values.ts";
import { isEventClosed } from "./event-object.ts";

type Test = (event: PolymarketEvent) => boolean;

/** The filters of Gamma's event lists as one test. `closedByDefault` says what a missing `closed` means. */
export function eventFilter(query: Query, closedByDefault: boolean): Test {
  const tests: Test[] = [];
  const closed = flag(query, "closed") ?? closedByDefault;
  tests.push((event) => isEventClosed(event) === closed);
  const ids = new Set(many(query, "id"));
  if (ids.size > 0) tests.push((event) => ids.has(event.id));
  const slugs = new Set(many(query, "slug"));
  if (slugs.size > 0) tests.push((event) => slugs.has(event.slug));
  const tag = one(query, "tag_id");
  if (tag !== undefined) tests.push((event) => event.tags.some((item) => item.id === tag));
  const tagSlug = one(query, "tag_slug");
  if (tagSlug !== undefined) tests.push((event) => event.tags.some((item) => item.slug === tagSlug));
  const banned = many(query, "exclude_tag_id");
  if (banned.length > 0) tests.push((event) => !event.tags.some((item) => banned.includes(item.id)));
  const series = one(query, "series_id");
  if (series !== undefined) tests.push((event) => event.series?.id === series);
  const recurrence = one(query, "recurrence");
  if (recurrence !== undefined) tests.push((event) => event.series?.recurrence === recurrence);
  if (flag(query, "archived") === true || flag(query, "active") === false) tests.push(() => false);
  pushRange(tests, numeric(query, "volume_min"), numeric(query, "volume_max"), volume);
  pushRange(tests, momentMs(query, "start_date_min"), momentMs(query, "start_date_max"), (event) => event.start_ms);
  pushRange(tests, momentMs(query, "end_date_min"), momentMs(query, "end_date_max"), (event) => event.end_ms);
  return (event) => tests.every((test) => test(event));
}

function volume(event: PolymarketEvent): number {
  return event.markets.reduce((sum, market) => sum + market.volume_micro, 0) / 1_000_000;
}

function pushRange(
  tests: Test[],
  low: number | undefined,
  high: number | undefined,
  value: (event: PolymarketEvent) => number,
): void {
  if (low !== undefined) tests.push((event) => value(event) >= low);
  if (high !== undefined) tests.push((event) => value(event) <= high);
}
