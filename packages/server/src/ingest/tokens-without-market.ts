import { isIn } from "../definition/filter.ts";
import { bind, sql, type Sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { STAMP_MARGIN_MS } from "./moments.ts";

export type TokenLimits = {
  readonly tokensWithoutMarket: number;
  /** How far back fills are looked through for tokens without a market. */
  readonly fillDays: number;
};

/** So often all fills of those days are looked through, not only what was stored since the last look. */
const WHOLE_MS = 3_600_000;

const IS_LISTED = sql`condition_id != toFixedString('', 32)`;

type Traded = { readonly token: string; readonly at: string };

/**
 * Tokens that were filled and belong to no market that is stored, the last filled first. Those that were found are
 * remembered, so that a token whose market is never listed does not have a week of fills read every time.
 */
export function createTokensWithoutMarket(
  store: Pick<Store, "rows">,
  venueNow: () => number,
  { tokensWithoutMarket: most, fillDays }: TokenLimits,
): () => Promise<readonly string[]> {
  let looked = { wholeMs: Number.NEGATIVE_INFINITY, untilMs: 0 };
  /** With the Unix second of their last fill. */
  let missing: ReadonlyMap<string, number> = new Map();
  return async () => {
    const beganMs = Date.now();
    const isWhole = beganMs - looked.wholeMs >= WHOLE_MS;
    const from = Math.floor(venueNow() / 1000) - fillDays * 86_400;
    const sinceMs = isWhole ? 0 : Math.max(0, looked.untilMs - STAMP_MARGIN_MS);
    const traded = await store.rows<Traded>(unlisted({ from, sinceMs, most }));
    const found = new Map([
      ...(isWhole ? [] : missing),
      ...traded.map(({ token, at }) => [token, Number(at)] as const),
    ]);
    const listed = await listedAmong(store, [...found.keys()]);
    const rest = [...found].filter(([token, at]) => at >= from && !listed.has(token));
    const newest = rest.toSorted(([, one], [, other]) => other - one).slice(0, most);
    // Of more than that the others have to be found again.
    const isAll = traded.length < most && newest.length === rest.length;
    missing = new Map(newest);
    const wholeMs = isWhole ? beganMs : looked.wholeMs;
    looked = { wholeMs: isAll ? wholeMs : Number.NEGATIVE_INFINITY, untilMs: beganMs };
    return newest.map(([token]) => token);
  };
}

type Look = { readonly from: number; readonly sinceMs: number; readonly most: number };

/**
 * Of fills stored since. The dictionary of tokens costs least and may be some seconds late: then it names too many, of
 * which those that are listed must not take the place of others where all fills are looked through.
 */
function unlisted({ from, sinceMs, most }: Look): Sql {
  const isUnlisted =
    sinceMs === 0
      ? sql`token_id GLOBAL NOT IN (SELECT token_id FROM polymarket_tokens WHERE ${IS_LISTED})`
      : sql`dictGet('polymarket_token_info', 'condition_id', token_id) = ''`;
  return sql`SELECT toString(token_id) AS token, toString(toUnixTimestamp(at)) AS at
    FROM (SELECT token_id, max(ts) AS at FROM polymarket_fills
      WHERE ts >= toDateTime(${bind("UInt32", from)}, 'UTC')
        AND ingested_at >= fromUnixTimestamp64Milli(${bind("Int64", String(sinceMs))}, 'UTC')
      GROUP BY token_id)
    WHERE ${isUnlisted} ORDER BY at DESC LIMIT ${bind("UInt32", most)}`;
}

async function listedAmong(store: Pick<Store, "rows">, tokens: readonly string[]): Promise<ReadonlySet<string>> {
  if (tokens.length === 0) return new Set();
  const list = bind("Array(String)", tokens);
  const rows = await store.rows<{ token: string }>(
    sql`SELECT DISTINCT toString(token_id) AS token FROM polymarket_tokens WHERE ${isIn("token_id", "token", list)} AND ${IS_LISTED}`,
  );
  return new Set(rows.map(({ token }) => token));
}
