import { bind, sql, type Sql } from "../../definition/sql.ts";
import { candleJumpsSql, robustJumpsSql } from "../../derivations/price-changes/jumps-sql.ts";
import { PRICE_RESOLUTIONS } from "../../derivations/price-changes/buckets.ts";
import { priceChanges } from "../../tables/price-changes.ts";
import { textTable } from "../../cli/text-table.ts";

const share = (value: number | null): string => (value === null ? "-" : value.toFixed(3));

const HEAD = ["RESOLUTION", "BUCKETS", "P AT MOST", "JUMPS", "REVERTED", "Q AT MOST", "REVERTED, BY CANDLE"];
const LEGEND = [
  "BUCKETS: of tokens, traded or quoted in this time. JUMPS: found by the robust method at that p-value.",
  "REVERTED: share that gave back half within ten buckets; next to it, of as many of the largest candles.",
  "Q AT MOST: share of false ones to expect if returns were normal, which they are not.",
];

/** The report as text: the data examined, the table, and the meaning of its columns. */
export function jumpsText({ from, to, least_change_pct: least, newest, lines }: JumpsReport): string {
  const days = `${from.slice(0, 10)} to ${to.slice(0, 10)}`;
  if (newest === null) return "No price changes are computed yet: the service or `almanac derive` does it.";
  if (lines.length === 0) return `No token was traded or quoted from ${days}; the newest change is of ${newest}.`;
  const cells = lines.map((line) => [
    line.resolution,
    String(line.buckets),
    line.p_value.toExponential(0),
    String(line.robust),
    share(line.robust_reverted),
    share(line.q_value),
    share(line.candle_reverted),
  ]);
  return [`Jumps of at least ${least} % from ${days}`, textTable(HEAD, cells), "", ...LEGEND].join("\n");
}

/** Results at one resolution. Shares are null if there is nothing to divide by. */
export type JumpsLine = {
  readonly resolution: string;
  /** Buckets of tokens that were traded or quoted in the period. */
  readonly buckets: number;
  /** Largest p-value. */
  readonly p_value: number;
  readonly robust: number;
  /** Share of them of which half reverted within ten buckets; a real jump lasts. */
  readonly robust_reverted: number | null;
  /** Largest q-value among them: the expected share of false ones, if returns were normal. */
  readonly q_value: number | null;
  /** The same share for as many of the largest changes from close to close. */
  readonly candle_reverted: number | null;
};

type Rows = <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>;

type Resolution = keyof typeof PRICE_RESOLUTIONS;

const LEVELS = [1e-3, 1e-6, 1e-9];
const MIN_PCT = bind("Decimal64(6)", "10");

/** Range examined and results; times are ISO. */
type JumpsReport = {
  readonly from: string;
  readonly to: string;
  readonly least_change_pct: number;
  /** Start of the newest bucket stored; null if there is none. */
  readonly newest: string | null;
  /** Only for resolutions that have buckets in the period. */
  readonly lines: readonly JumpsLine[];
};

/** Jumps between two times (Unix seconds) by both methods, of at least 10 percent, with the same number of alarms. */
export async function jumpsReport(
  rows: Rows,
  range: { readonly from: number; readonly to: number },
): Promise<JumpsReport> {
  const looked = await lookedAt(rows, range);
  const lines: JumpsLine[] = [];
  for (const resolution of Object.keys(PRICE_RESOLUTIONS) as Resolution[]) {
    const buckets = Number(looked.find((one) => one.resolution === resolution)?.n ?? 0);
    if (buckets === 0) continue;
    for (const level of LEVELS) lines.push(await lineOf(rows, { resolution, buckets, level }, range));
  }
  const newest = looked
    .map((one) => one.newest)
    .toSorted()
    .at(-1);
  return {
    from: isoOf(range.from),
    to: isoOf(range.to),
    least_change_pct: Number(MIN_PCT.value),
    newest: newest ?? null,
    lines,
  };
}

const isoOf = (seconds: number): string => `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z`;

/** Buckets with a price by resolution, and the newest stored at all. */
function lookedAt(rows: Rows, { from, to }: { readonly from: number; readonly to: number }) {
  return rows<{ resolution: string; n: string; newest: string }>(
    sql`SELECT toString(resolution) AS resolution, toString(countIf(bucket >= ${timestamp(from)} AND bucket <= ${timestamp(to)})) AS n, formatDateTime(max(bucket), '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS newest FROM ${priceChanges} FINAL WHERE NOT is_gone GROUP BY resolution`,
  );
}

const timestamp = (seconds: number): Sql => sql`toDateTime(${bind("UInt32", Math.floor(seconds))}, 'UTC')`;

async function lineOf(
  rows: Rows,
  { resolution, buckets, level }: { readonly resolution: Resolution; readonly buckets: number; readonly level: number },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<JumpsLine> {
  const range = { from: timestamp(from), to: timestamp(to), now: timestamp(to) };
  const requested = { ...range, resolution, only: [], minPct: MIN_PCT };
  const [found] = await rows<{ n: string; reverted: number | null; q: number | null }>(
    sql`SELECT toString(count()) AS n, avgOrNull(reverted) AS reverted, maxOrNull(q_value) AS q FROM (${robustJumpsSql({ ...requested, maxP: bind("Float64", level) })})`,
  );
  const n = Number(found?.n ?? 0);
  const [largest] = await rows<{ reverted: number | null }>(
    sql`SELECT avgOrNull(reverted) AS reverted FROM (SELECT reverted FROM (${candleJumpsSql({ ...requested, maxP: undefined })}) ORDER BY abs(pct) DESC, token_id, jump_time LIMIT ${bind("UInt64", n)})`,
  );
  return {
    resolution,
    buckets,
    p_value: level,
    robust: n,
    robust_reverted: found?.reverted ?? null,
    q_value: found?.q ?? null,
    candle_reverted: largest?.reverted ?? null,
  };
}
