import type { Holding } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";
import { one, type Query } from "../query-values.ts";
import { boardPage, readBoard } from "./board-page.ts";
import { invalid, type Refusal } from "./data-error.ts";
import type { Pagination } from "./feed-page.ts";
import { positionFigures } from "./position-figures.ts";
import { positionRow, positionStatus } from "./position-row.ts";
import { isRefusal, readConditions, readUser } from "./read-query.ts";

const dustMicro = 100_000;

const sorts: Record<string, (holding: Holding) => number> = {
  CURRENT_VALUE: (holding) => positionFigures(holding).value,
  PRICE: (holding) => positionFigures(holding).price,
  TOKENS: (holding) => holding.shares_micro,
  UNREALIZED_PNL: (holding) => positionFigures(holding).unrealized,
  REALIZED_PNL: (holding) => holding.realized_pnl_micro,
  TOTAL_PNL: (holding) => positionFigures(holding).total,
  TIMESTAMP: (holding) => holding.last_ms,
};

/** `GET /v2/positions`: positions of a wallet or of a condition, positions under 0.1 share left out. */
export function positionsAnswer(world: World, asked: Query): { data: unknown[]; pagination: Pagination } | Refusal {
  const board = readBoard(asked, 100, 1000);
  if (isRefusal(board)) return board;
  const { query } = board;
  const user = readUser(query);
  if (isRefusal(user)) return user;
  const conditions = readConditions(query);
  if (isRefusal(conditions)) return conditions;
  if (!("user" in user) && conditions.length === 0) return invalid("user", "user or condition is required");
  const status = one(query, "status")?.toUpperCase() ?? "OPEN";
  const sort = sorts[one(query, "sort_by")?.toUpperCase() ?? "CURRENT_VALUE"];
  if (sort === undefined) return invalid("sort_by", "sort_by is not known");
  const held =
    "user" in user ? world.polymarket.holdingsOf(user.user) : conditions.flatMap((id) => world.polymarket.holders(id));
  const chosen = held
    .filter((holding) => conditions.length === 0 || conditions.includes(holding.market.condition_id))
    .filter((holding) => hasStatus(world, holding, status));
  const sign = one(query, "sort_direction")?.toUpperCase() === "ASC" ? 1 : -1;
  const keyed = chosen.map((holding) => ({ holding, key: sort(holding) }));
  keyed.sort(
    (left, right) => (left.key - right.key) * sign || (tokenOf(left.holding) < tokenOf(right.holding) ? -1 : 1),
  );
  const page = boardPage(keyed, board);
  const data = page.items.map(({ holding }) => positionRow(holding, isMergeable(world, holding)));
  return { data, pagination: page.pagination };
}

/** Whether the wallet holds the other outcome too, of a market not resolved. */
export function isMergeable(world: World, holding: Holding): boolean {
  if (holding.shares_micro === 0 || holding.market.resolved_ms !== null) return false;
  return world.polymarket
    .holdingsOf(holding.wallet.address)
    .some((other) => other.market === holding.market && other.outcome !== holding.outcome && other.shares_micro > 0);
}

function hasStatus(world: World, holding: Holding, status: string): boolean {
  const own = positionStatus(holding);
  if (status === "CLOSED") return own === "CLOSED";
  if (holding.shares_micro < dustMicro) return false;
  if (status === "MERGEABLE") return isMergeable(world, holding);
  return status === "OPEN" ? own !== "CLOSED" : own === status;
}

function tokenOf(holding: Holding): string {
  return holding.market.token_ids[holding.outcome];
}
