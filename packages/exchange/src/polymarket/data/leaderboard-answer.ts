import type { World } from "../../world/world.ts";
import { one, type Query } from "../query-values.ts";
import { boardPage, readBoard } from "./board-page.ts";
import { invalid, type Refusal } from "./data-error.ts";
import type { Pagination } from "./feed-page.ts";
import { isRefusal, readUser } from "./read-query.ts";
import { type WalletTotals, walletTotals } from "./wallet-totals.ts";

const spans: Record<string, number | undefined> = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400, all: undefined };

type Answer = { data: unknown[]; pagination: Pagination } | { data: unknown } | Refusal;

/**
 * `GET /v2/leaderboard`, and with `user` that wallet's standing. Ranks tie as in competitions.
 * Counting everybody is slow, so boards are kept for a minute of world time in the `memory` handed in.
 */
export function leaderboardAnswer(
  world: World,
  asked: Query,
  memory: Map<string, { until: number; totals: WalletTotals[] }>,
): Answer {
  const board = readBoard(asked, 25, 50);
  if (isRefusal(board)) return board;
  const period = one(board.query, "time_period")?.toLowerCase() ?? "day";
  if (!(period in spans)) return invalid("time_period", "time_period must be day, week, month or all");
  const sort = one(board.query, "sort_by")?.toUpperCase() ?? "PNL";
  if (sort !== "PNL" && sort !== "VOLUME") return invalid("sort_by", "sort_by must be PNL or VOLUME");
  const user = readUser(board.query);
  if (isRefusal(user)) return user;
  const totals = remembered(world, period, memory);
  if ("user" in user) return { data: standing(totals, user.user) };
  const ranked = ranking(totals, sort);
  const page = boardPage(ranked, board);
  const data = page.items.map(({ rank, totals: entry }) => {
    const { wallet, pnl, volume } = entry;
    return {
      rank,
      user_id: wallet.address,
      pnl,
      volume,
      user_name: wallet.name,
      profile_image: "",
      x_username: "",
      verified: false,
    };
  });
  return { data, pagination: page.pagination };
}

function remembered(
  world: World,
  period: string,
  memory: Map<string, { until: number; totals: WalletTotals[] }>,
): WalletTotals[] {
  const known = memory.get(period);
  if (known !== undefined && known.until > world.reached()) return known.totals;
  const span = spans[period];
  const from = span === undefined ? undefined : world.reached() / 1000 - span;
  const totals = world.polymarket.wallets
    .map((wallet) => walletTotals(world, wallet, from))
    .filter((each) => each.trade_count > 0);
  memory.set(period, { until: world.reached() + 60_000, totals });
  return totals;
}

function ranking(totals: readonly WalletTotals[], sort: "PNL" | "VOLUME"): { rank: number; totals: WalletTotals }[] {
  const value = (each: WalletTotals): number => (sort === "PNL" ? each.pnl : each.volume);
  const sorted = [...totals].sort(
    (left, right) => value(right) - value(left) || (left.wallet.address < right.wallet.address ? -1 : 1),
  );
  let rank = 0;
  return sorted.map((each, index) => {
    const before = sorted[index - 1];
    if (before === undefined || value(before) !== value(each)) rank = index + 1;
    return { rank, totals: each };
  });
}

function standing(totals: readonly WalletTotals[], user: string): Record<string, unknown> | null {
  const rankIn = (sort: "PNL" | "VOLUME"): number | null =>
    ranking(totals, sort).find((entry) => entry.totals.wallet.address === user)?.rank ?? null;
  const own = totals.find((each) => each.wallet.address === user);
  if (own === undefined) return null;
  const { wallet, pnl, volume } = own;
  const names = { user_name: wallet.name, profile_image: "", x_username: "", verified: false };
  return { user_id: wallet.address, pnl, volume, rank_pnl: rankIn("PNL"), rank_volume: rankIn("VOLUME"), ...names };
}
