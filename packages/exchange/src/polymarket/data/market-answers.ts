import type { World } from "../../world/world.ts";
import { isoSeconds } from "../moment-text.ts";
import { one, type Query } from "../query-values.ts";
import { invalid, type Refusal } from "./data-error.ts";
import { isRefusal, readConditions } from "./read-query.ts";

/** `GET /v2/oi`: open interest of conditions in USD, or of everything as `GLOBAL`. */
export function openInterestAnswer(world: World, query: Query): { data: unknown } | Refusal {
  const conditions = readConditions(query);
  if (isRefusal(conditions)) return conditions;
  if (conditions.length === 0) {
    const all = world.polymarket.markets.reduce((sum, market) => sum + market.open_interest_micro, 0);
    return { data: [{ condition_id: "GLOBAL", value: all / 1_000_000 }] };
  }
  const markets = conditions.flatMap((id) => world.polymarket.market(id) ?? []);
  return {
    data: markets.map((market) => ({
      condition_id: market.condition_id,
      value: market.open_interest_micro / 1_000_000,
    })),
  };
}

/** `GET /v2/live-volume`: taker volume of an event, in USD. */
export function liveVolumeAnswer(world: World, query: Query): { data: unknown } | Refusal {
  const id = one(query, "event_id");
  const event = id === undefined ? undefined : world.polymarket.event(id);
  if (event === undefined) return invalid("event_id", "event_id is not known");
  const conditions = event.markets.map((market) => ({
    condition_id: market.condition_id,
    taker_volume: market.volume_micro / 1_000_000,
  }));
  const total = event.markets.reduce((sum, market) => sum + market.volume_micro, 0);
  return { data: { taker_volume_total: total / 1_000_000, conditions } };
}

/** `GET /v2/status`: how far behind the chain the feeds are. */
export function statusAnswer(world: World, visibleSeconds: number): { data: unknown } {
  const head = world.chain.head();
  const lag = Math.max(0, Math.floor(world.reached() / 1000) - visibleSeconds);
  const indexed = Math.min(head, world.chain.blockAt(visibleSeconds * 1000));
  return {
    data: { head_block: head, indexed_block: indexed, indexed_at: isoSeconds(visibleSeconds * 1000), lag_seconds: lag },
  };
}
