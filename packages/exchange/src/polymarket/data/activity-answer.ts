import type { World } from "../../world/world.ts";
import { commaList, type Query } from "../query-values.ts";
import { type Activity, activitiesOf, activityRow, incomeActivity } from "./activity-row.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { feedPage, type Pagination } from "./feed-page.ts";
import { isRefusal, readCursor, readLimit, readSeconds, readUser } from "./read-query.ts";

const types = new Set(
  "TRADE,SPLIT,MERGE,REDEEM,REWARD,CONVERSION,MIGRATION,MAKER_REBATE,TAKER_REBATE,REFERRAL_REWARD,YIELD,DEPOSIT,WITHDRAWAL,TIP".split(
    ",",
  ),
);

/** `GET /v2/activity`: one wallet's trades, splits, merges, redemptions, conversions and income, newest first. */
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
  const start = readSeconds(query, "start") ?? 0;
  if (isRefusal(start)) return start;
  const wanted = commaList(query, "type").map((type) => type.toUpperCase());
  if (wanted.some((type) => !types.has(type))) return invalid("type", "type is not known");
  const after = readCursor(query);
  if (isRefusal(after)) return after;
  const found = walletActivities(world, user.user)
    .filter(({ timestamp }) => timestamp >= start && timestamp <= visibleSeconds)
    .filter(({ type }) => wanted.length === 0 || wanted.includes(type));
  const page = feedPage(found, limit, after);
  return { data: page.items.map((item) => activityRow(world, item)), pagination: page.pagination };
}

/** All that a wallet did, newest first by (timestamp, sequence). */
function walletActivities(world: World, wallet: string): Activity[] {
  const done = world.polymarket.activity(wallet).flatMap((happening) => activitiesOf(happening, wallet));
  return [...done, ...world.income.of(wallet).map(incomeActivity)].sort(
    (left, right) => right.timestamp - left.timestamp || right.sequence - left.sequence,
  );
}
