import type { World } from "../../packages/exchange/src/world/world.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { sql } from "../../packages/server/src/definition/sql.ts";

/** How far what is stored is behind the world, in ms: the age of the oldest fill or Kalshi trade that is not there yet. */
export async function measureLag(world: World, store: OpenStore): Promise<number> {
  const [held] = await store.rows<{ matches: string; trades: string }>(
    sql`SELECT (SELECT uniqExact(tx_hash) FROM polymarket_fills) AS matches, (SELECT uniqExact(trade_id) FROM kalshi_trades) AS trades`,
  );
  const now = world.reached();
  const matches = world.polymarket.matches[Number(held?.matches)]?.block_ms ?? now;
  const trades = world.kalshi.trades[Number(held?.trades)]?.ms ?? now;
  return Math.max(0, now - matches, now - trades);
}
