import { INCOME_TYPES, type IncomePayment } from "../../world/income-contract.ts";
import type { World } from "../../world/world.ts";
import { commaList, one, type Query } from "../query-values.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { feedPage, type Pagination } from "./feed-page.ts";
import { isRefusal, readCursor, readLimit, readSeconds } from "./read-query.ts";

const types: ReadonlySet<string> = new Set(INCOME_TYPES);

/** `GET /v2/activity`: one wallet's income, newest first. Only income types are simulated. */
export function activityAnswer(
  world: World,
  query: Query,
  visibleSeconds: number,
): { data: unknown[]; pagination: Pagination } | Refusal {
  const user = one(query, "user")?.toLowerCase();
  if (user === undefined) return invalid("user", "user is required");
  if (!/^0x[0-9a-f]{40}$/.test(user)) return invalid("user", "user must be an address");
  const limit = readLimit(query, 100, 1000);
  if (isRefusal(limit)) return limit;
  const start = readSeconds(query, "start") ?? 0;
  if (isRefusal(start)) return start;
  const wanted = commaList(query, "type").map((type) => type.toUpperCase());
  if (wanted.length === 0 || wanted.some((type) => !types.has(type)))
    return invalid("type", "only types of income are simulated");
  const after = readCursor(query);
  if (isRefusal(after)) return after;
  const found = world.income
    .of(user)
    .filter(({ type }) => wanted.includes(type))
    .map((payment) => ({ payment, timestamp: payment.ms / 1000, sequence: payment.seq }))
    .filter(({ timestamp }) => timestamp >= start && timestamp <= visibleSeconds);
  const page = feedPage(found.toReversed(), limit, after);
  return { data: page.items.map(({ payment }) => incomeRow(world, payment)), pagination: page.pagination };
}

/** A row of `/v2/activity` for a credit by the venue: no market, token, side or outcome, and price 0. */
function incomeRow(world: World, { type, wallet, ms, tx_hash, amount_micro }: IncomePayment): Record<string, unknown> {
  const owner = world.polymarket.wallet(wallet);
  return {
    proxy_wallet: wallet,
    timestamp: ms / 1000,
    condition_id: "",
    type,
    size: amount_micro / 1_000_000,
    usdc_size: amount_micro / 1_000_000,
    transaction_hash: tx_hash,
    price: 0,
    token_id: "",
    side: "",
    outcome_index: 999,
    title: "",
    slug: "",
    icon: "",
    event_slug: "",
    outcome: "",
    name: owner?.name ?? "",
    pseudonym: owner?.pseudonym ?? "",
    bio: "",
    profile_image: "",
    profile_image_optimized: "",
  };
}
