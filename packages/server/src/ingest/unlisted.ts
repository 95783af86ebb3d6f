import { bind, type Bound, type Sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { STAMP_MARGIN_MS } from "./moments.ts";

/** Which trades are looked through: those of a moment (Unix seconds) or later, stored at one (Unix ms) or later. */
export type Look = { readonly from: number; readonly sinceMs: number; readonly most: number };

/** What of a venue is traded, and where it is listed. */
export type Traded = {
  /** So many are given at the most. */
  readonly most: number;
  /** How far back trades are looked through. */
  readonly seconds: number;
  /** `id` and `at` (the Unix second of its last trade) of what was traded and, as far as can be told, is not listed; the last traded first. */
  readonly unlisted: (look: Look) => Sql;
  /** `id` of those of a list that are listed. */
  readonly listed: (ids: Bound) => Sql;
};

/** So often, and where the clock went back, all trades of that time are looked through, not only what was stored since. */
const WHOLE_MS = 3_600_000;

/**
 * What was traded and belongs to no market that is stored, the last traded first. What was found is remembered: a market
 * that its venue never lists would have the trades of days read every time.
 */
export function createUnlisted(
  store: Pick<Store, "rows">,
  venueNow: () => number,
  { most, seconds, unlisted, listed }: Traded,
): () => Promise<readonly string[]> {
  let looked = { wholeMs: Number.NEGATIVE_INFINITY, untilMs: 0 };
  /** With the Unix second of the last trade. */
  let missing: ReadonlyMap<string, number> = new Map();
  const listedOf = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const rows = ids.length === 0 ? [] : await store.rows<{ id: string }>(listed(bind("Array(String)", ids)));
    return new Set(rows.map(({ id }) => id));
  };
  return async () => {
    const beganMs = Date.now();
    const isWhole = beganMs - looked.wholeMs >= WHOLE_MS || beganMs < looked.untilMs;
    const from = Math.floor(venueNow() / 1000) - seconds;
    const sinceMs = isWhole ? 0 : Math.max(0, looked.untilMs - STAMP_MARGIN_MS);
    const traded = await store.rows<{ id: string; at: string }>(unlisted({ from, sinceMs, most }));
    const found = new Map(isWhole ? [] : missing);
    for (const { id, at } of traded) found.set(id, Number(at));
    const known = await listedOf([...found.keys()]);
    const rest = [...found].filter(([id, at]) => at >= from && !known.has(id));
    const newest = rest.toSorted(([, one], [, other]) => other - one).slice(0, most);
    // Where there are more the others have to be found again.
    const isAll = traded.length < most && newest.length === rest.length;
    missing = new Map(newest);
    looked = { wholeMs: isAll ? (isWhole ? beganMs : looked.wholeMs) : Number.NEGATIVE_INFINITY, untilMs: beganMs };
    return newest.map(([id]) => id);
  };
}
