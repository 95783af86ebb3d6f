import { bind, sql, type Sql } from "../../../packages/server/src/definition/sql.ts";
import { candleJumpsSql, robustJumpsSql } from "../../../packages/server/src/derivations/price-changes/jumps-sql.ts";
import { PRICE_RESOLUTIONS } from "../../../packages/server/src/derivations/price-changes/price-resolutions.ts";
import type { Store } from "../../../packages/server/src/store/store.ts";
import type { JumpWorld } from "./jump-world.ts";

/** Something a method calls a jump. `score`: larger is surer. */
export type Alarm = {
  readonly market: string;
  readonly from: number;
  readonly to: number;
  readonly isUp: boolean;
  /** Prices of the first outcome. */
  readonly before: number;
  readonly after: number;
  readonly score: number;
};

export type Method = "robust" | "candle" | "z-score";
type Resolution = keyof typeof PRICE_RESOLUTIONS;
type Row = { token: string; at: string; ends: string; before: string; after: string; score: number };

/** Alarms are moves of at least so much (USD): what is looked for is larger. */
export const LEAST_MOVE = 0.05;
/** Alarms of a market so near (ms) to a surer one are part of it. */
const EPISODE_MS = 90 * 60_000;

/** Every alarm of a method, surest first; of a market's two tokens and of near ones the surest. */
export async function findAlarms(
  store: Store,
  world: JumpWorld,
  method: Method,
  resolution: Resolution,
): Promise<Alarm[]> {
  const seconds = bind("UInt32", PRICE_RESOLUTIONS[resolution]);
  const rows =
    await store.rows<Row>(sql`SELECT toString(token_id) AS token, toString(toUnixTimestamp(jump_time)) AS at, toString(toUnixTimestamp(ends) + ${seconds}) AS ends,
  toString(price_before) AS before, toString(price_after) AS after, score
FROM (${alarmsSql(method, world, resolution)}) WHERE abs(price_after - price_before) >= toDecimal64(${bind("String", String(LEAST_MOVE))}, 6) LIMIT 1000000`);
  const markets = new Map(
    world.markets.flatMap(({ condition_id, token_ids }) => token_ids.map((id, side) => [id, { condition_id, side }])),
  );
  const alarms = rows.flatMap(({ token, at, ends, before, after, score }) => {
    const market = markets.get(token);
    if (market === undefined) return [];
    const [was, is] = [before, after].map((price) => (market.side === 0 ? Number(price) : 1 - Number(price)));
    if (was === undefined || is === undefined) return [];
    const times = { from: Number(at) * 1000, to: Number(ends) * 1000 };
    return [{ market: market.condition_id, ...times, isUp: is > was, before: was, after: is, score }];
  });
  return surest(alarms);
}

const moment = (date: Date): Sql => sql`toDateTime(${bind("UInt32", Math.floor(date.getTime() / 1000))}, 'UTC')`;

function alarmsSql(method: Method, world: JumpWorld, resolution: Resolution): Sql {
  const asked = {
    resolution,
    from: moment(world.from),
    to: moment(world.to),
    now: moment(world.to),
    only: [],
    leastPct: bind("Decimal64(6)", "1"),
    mostP: undefined,
  };
  if (method === "robust") {
    return sql`SELECT token_id, jump_time, bucket AS ends, price_before, price_after, -log(greatest(p_value, 1e-300)) AS score FROM (${robustJumpsSql(asked)})`;
  }
  const candles = candleJumpsSql(asked);
  if (method === "candle") {
    return sql`SELECT token_id, jump_time, jump_time AS ends, price_before, price_after, toFloat64(abs(pct)) AS score FROM (${candles})`;
  }
  const all = sql`SELECT token_id, bucket, toFloat64(close - previous_close) AS change FROM price_changes FINAL WHERE resolution = ${bind("String", resolution)} AND NOT is_gone AND change_pct IS NOT NULL`;
  const usual = sql`SELECT token_id, bucket, change, stddevSamp(change) OVER (PARTITION BY token_id ORDER BY bucket ROWS BETWEEN 96 PRECEDING AND 1 PRECEDING) AS spread, count() OVER (PARTITION BY token_id ORDER BY bucket ROWS BETWEEN 96 PRECEDING AND 1 PRECEDING) AS n FROM (${all})`;
  return sql`SELECT c.token_id AS token_id, c.jump_time AS jump_time, c.jump_time AS ends, c.price_before AS price_before, c.price_after AS price_after, abs(u.change) / u.spread AS score
FROM (${candles}) AS c INNER JOIN (${usual}) AS u ON u.token_id = c.token_id AND u.bucket = c.jump_time WHERE u.n >= 12 AND u.spread > 0`;
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
