import type { World } from "../../world/world.ts";
import { commaList, one, type Query } from "../query-values.ts";
import { type Activity, activitiesOf, activityRow, incomeActivity } from "./activity-row.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { decodeFeed, feedPage, type Pagination } from "./feed-page.ts";
import { isRefusal, readConditions, readLimit, readSeconds, readUser } from "./read-query.ts";

const types = new Set(
  "TRADE,SPLIT,MERGE,REDEEM,REWARD,CONVERSION,MIGRATION,MAKER_REBATE,TAKER_REBATE,REFERRAL_REWARD,YIELD,DEPOSIT,WITHDRAWAL,TIP".split(
    ",",
  ),
);

/** What an activity feed is cut down to. Times are block seconds, both ends included. */
export interface ActivityFilter {
  conditions: readonly string[];
  types: readonly string[];
  side: string | undefined;
  from: number;
  to: number;
}

/** All that a wallet did, oldest first by (timestamp, sequence). */
export function walletActivities(world: World, wallet: string, filter: ActivityFilter): Activity[] {
  const all = world.polymarket.activity(wallet).flatMap((happening) => activitiesOf(happening, wallet));
  return [...all, ...world.income.of(wallet).map(incomeActivity)]
    .filter((item) => item.timestamp >= filter.from && item.timestamp <= filter.to)
    .filter((item) => filter.types.length === 0 || filter.types.includes(item.type))
    .filter((item) => filter.side === undefined || item.side === filter.side)
    .filter((item) => filter.conditions.length === 0 || filter.conditions.includes(item.market?.condition_id ?? ""))
    .sort((left, right) => left.timestamp - right.timestamp || left.sequence - right.sequence);
}

/** `GET /v2/activity`: one wallet's trades, splits, merges, redemptions, conversions and income. */
export function activityAnswer(
  world: World,
  query: Query,
  visibleSeconds: number,
): { data: unknown[]; pagination: Pagination } | Refusal {
  const user = readUser(query);
  if (isRefusal(user)) return user;
  if (!("user" in user)) return invalid("user", "user is required");
  const limit = readLimit(query, 100, 1000);
  if (isRefusal(limit)) return limit;
  const conditions = readConditions(query);
  if (isRefusal(conditions)) return conditions;
  const start = readSeconds(query, "start");
  if (isRefusal(start)) return start;
  const end = readSeconds(query, "end");
  if (isRefusal(end)) return end;
  const wanted = commaList(query, "type").map((type) => type.toUpperCase());
  if (wanted.some((type) => !types.has(type))) return invalid("type", "type is not known");
  const cursor = one(query, "cursor") ?? one(query, "next_cursor");
  const after = cursor === undefined ? undefined : decodeFeed(cursor);
  if (cursor !== undefined && after === undefined) return invalid("cursor", "cursor is not valid");
  const to = Math.min(end ?? visibleSeconds, visibleSeconds);
  const side = one(query, "side")?.toUpperCase();
  const oldestFirst = walletActivities(world, user.user, { conditions, types: wanted, side, from: start ?? 0, to });
  const ascending = one(query, "sort_direction")?.toUpperCase() === "ASC";
  const page = feedPage(ascending ? oldestFirst : oldestFirst.toReversed(), limit, after, ascending);
  return { data: page.items.map((item) => activityRow(world, item)), pagination: page.pagination };
}
