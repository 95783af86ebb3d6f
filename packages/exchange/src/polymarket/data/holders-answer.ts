import type { Holding } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";
import { flag, type Query } from "../query-values.ts";
import { boardPage, readBoard } from "./board-page.ts";
import { invalid, type Refusal } from "./data-error.ts";
import type { Pagination } from "./feed-page.ts";
import { positionFigures } from "./position-figures.ts";
import { isRefusal, readConditions } from "./read-query.ts";

/** `GET /v2/holders`: who holds each token of the conditions, largest first; `limit` counts holders of a token. */
export function holdersAnswer(world: World, asked: Query): { data: unknown[]; pagination: Pagination } | Refusal {
  const board = readBoard(asked, 100, 1000);
  if (isRefusal(board)) return board;
  const conditions = readConditions(board.query);
  if (isRefusal(conditions)) return conditions;
  if (conditions.length === 0) return invalid("condition", "condition is required");
  const pnl = flag(board.query, "include_pnl") === true;
  if (pnl && (conditions.length > 1 || board.limit > 100))
    return invalid("include_pnl", "include_pnl takes one condition and 100 holders");
  const tokens = conditions.flatMap((id) => {
    const held = world.polymarket.holders(id);
    return ([0, 1] as const).map((outcome) => held.filter((holding) => holding.outcome === outcome));
  });
  const longest = tokens.reduce((most, held) => Math.max(most, held.length), 0);
  const counted = boardPage(Array.from({ length: longest }), board);
  const data = tokens.flatMap((held) => {
    const first = held[0];
    if (first === undefined) return [];
    const holders = held.slice(board.offset, board.offset + board.limit).map((holding) => holderRow(holding, pnl));
    return [{ token_id: first.market.token_ids[first.outcome], holders }];
  });
  return { data, pagination: counted.pagination };
}

function holderRow(holding: Holding, pnl: boolean): Record<string, unknown> {
  const { wallet, market, outcome } = holding;
  const row = {
    proxy_wallet: wallet.address,
    bio: "",
    token_id: market.token_ids[outcome],
    pseudonym: wallet.pseudonym,
    amount: holding.shares_micro / 1_000_000,
    display_username_public: wallet.name !== "",
    outcome_index: outcome,
    name: wallet.name,
    profile_image: "",
    profile_image_optimized: "",
    verified: false,
  };
  if (!pnl) return row;
  const money = positionFigures(holding);
  return {
    ...row,
    avg_price: money.avg_price,
    entry_cost_usdc: money.cost,
    current_price: money.price,
    current_value: money.value,
    realized_pnl: money.realized,
    unrealized_pnl: money.unrealized,
    total_pnl: money.total,
  };
}
