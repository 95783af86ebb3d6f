import { bind, sql, type Sql } from "../../definition/sql.ts";
import { candleJumpsSql, robustJumpsSql } from "../../derivations/price-changes/jumps-sql.ts";
import { PRICE_RESOLUTIONS } from "../../derivations/price-changes/price-resolutions.ts";

/** What was found at one resolution. Shares are null where there is nothing to share. */
export type JumpsLine = {
  readonly resolution: string;
  /** Largest p-value. */
  readonly p_value: number;
  readonly robust: number;
  /** Share of them of which half was given back within ten buckets: a jump that lasts was one. */
  readonly robust_reverted: number | null;
  /** Largest q-value among them: the share of false ones to expect, if returns were normal. */
  readonly q_value: number | null;
  /** The same of as many of the largest changes from close to close. */
  readonly candle_reverted: number | null;
};

type Rows = <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>;

const LEVELS = [1e-3, 1e-6, 1e-9];
const LEAST_PCT = bind("Decimal64(6)", "10");

/** Jumps between two moments (Unix seconds) by both methods, of at least 10 percent, at as many alarms. */
export async function jumpsReport(
  rows: Rows,
  range: { readonly from: number; readonly to: number },
): Promise<JumpsLine[]> {
  const lines: JumpsLine[] = [];
  for (const resolution of Object.keys(PRICE_RESOLUTIONS) as (keyof typeof PRICE_RESOLUTIONS)[]) {
    for (const level of LEVELS) lines.push(await lineOf(rows, resolution, level, range));
  }
  return lines;
}

const moment = (seconds: number): Sql => sql`toDateTime(${bind("UInt32", Math.floor(seconds))}, 'UTC')`;

async function lineOf(
  rows: Rows,
  resolution: keyof typeof PRICE_RESOLUTIONS,
  level: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<JumpsLine> {
  const range = { from: moment(from), to: moment(to), now: moment(to) };
  const asked = { ...range, resolution, only: [], leastPct: LEAST_PCT, mostP: bind("Float64", level) };
  const [found] = await rows<{ n: string; reverted: number | null; q: number | null }>(
    sql`SELECT toString(count()) AS n, avgOrNull(reverted) AS reverted, maxOrNull(q_value) AS q FROM (${robustJumpsSql(asked)})`,
  );
  const n = Number(found?.n ?? 0);
  const [largest] = await rows<{ reverted: number | null }>(
    sql`SELECT avgOrNull(reverted) AS reverted FROM (SELECT reverted FROM (${candleJumpsSql(asked)}) ORDER BY abs(pct) DESC, token_id, jump_time LIMIT ${bind("UInt64", n)})`,
  );
  return {
    resolution,
    p_value: level,
    robust: n,
    robust_reverted: found?.reverted ?? null,
    q_value: found?.q ?? null,
    candle_reverted: largest?.reverted ?? null,
  };
}
