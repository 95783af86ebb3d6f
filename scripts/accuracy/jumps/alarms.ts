import { bind, sql, type Sql } from "../../../packages/server/src/definition/sql.ts";
import { robustJumpsSql } from "../../../packages/server/src/derivations/price-changes/jumps-sql.ts";
import { PRICE_RESOLUTIONS } from "../../../packages/server/src/derivations/price-changes/buckets.ts";
import type { Store } from "../../../packages/server/src/store/store.ts";
import type { JumpWorld } from "./jump-world.ts";

/** A jump reported by the dataset. */
export type Alarm = {
  readonly market: string;
  readonly from: number;
  readonly to: number;
  /** Direction of the first outcome's price. */
  readonly isUp: boolean;
  /** −ln p: larger is more certain. */
  readonly score: number;
};

type Resolution = keyof typeof PRICE_RESOLUTIONS;
type Row = { token: string; at: string; ends: string; before: string; after: string; p: number };

/** Alarms are moves of at least this size (USD): the jumps sought are larger. */
const MIN_MOVE = "0.05";
/** Alarms of a market within this distance (ms) of a more certain one are merged into it. */
const EPISODE_MS = 90 * 60_000;

const timestamp = (date: Date): Sql => sql`toDateTime(${bind("UInt32", Math.floor(date.getTime() / 1000))}, 'UTC')`;

/** Every jump reported by the dataset, most certain first; one for both tokens of a market and for nearby jumps. */
export async function findAlarms(store: Store, world: JumpWorld, resolution: Resolution): Promise<Alarm[]> {
  const seconds = bind("UInt32", PRICE_RESOLUTIONS[resolution]);
  const jumps = robustJumpsSql({
    resolution,
    from: timestamp(world.from),
    to: timestamp(world.to),
    now: timestamp(world.to),
    only: [],
    minPct: bind("Decimal64(6)", "1"),
    maxP: undefined,
  });
  const rows =
    await store.rows<Row>(sql`SELECT toString(token_id) AS token, toString(toUnixTimestamp(jump_time)) AS at, toString(toUnixTimestamp(bucket) + ${seconds}) AS ends,
  toString(price_before) AS before, toString(price_after) AS after, p_value AS p
FROM (${jumps}) WHERE abs(price_after - price_before) >= toDecimal64(${bind("String", MIN_MOVE)}, 6) LIMIT 1000000`);
  const markets = new Map(
    world.markets.flatMap(({ condition_id, token_ids }) => token_ids.map((id, side) => [id, { condition_id, side }])),
  );
  const alarms = rows.flatMap(({ token, at, ends, before, after, p }) => {
    const market = markets.get(token);
    if (market === undefined) return [];
    const isUp = Number(after) > Number(before) === (market.side === 0);
    const score = -Math.log(Math.max(p, 1e-300));
    return [{ market: market.condition_id, from: Number(at) * 1000, to: Number(ends) * 1000, isUp, score }];
  });
  return surest(alarms);
}

function surest(alarms: readonly Alarm[]): Alarm[] {
  const kept = new Map<string, Alarm[]>();
  for (const alarm of alarms.toSorted((a, b) => b.score - a.score)) {
    const own = kept.get(alarm.market) ?? [];
    kept.set(alarm.market, own);
    if (own.every(({ from }) => Math.abs(from - alarm.from) >= EPISODE_MS)) own.push(alarm);
  }
  return [...kept.values()].flat().sort((a, b) => b.score - a.score);
}
