import { bind, type Bound, type Sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { STAMP_MARGIN_MS } from "./timestamps.ts";

/** Trades to search: at or after a time (Unix seconds), stored at or after another (Unix ms). */
export type Look = { readonly from: number; readonly sinceMs: number; readonly most: number };

/** How to find a venue's traded and listed instruments. */
export type Traded = {
  /** Maximum number of results. */
  readonly most: number;
  /** How far back trades are searched. */
  readonly seconds: number;
  /** `id` and `at` (Unix second of its last trade) of traded instruments that appear unlisted; last traded first. */
  readonly unlisted: (look: Look) => Sql;
  /** `id` of those in the list that are listed. */
  readonly listed: (ids: Bound) => Sql;
};

/** How often (and after the clock went back) all trades of that time are searched, not only those stored since. */
const WHOLE_MS = 3_600_000;

/**
 * Traded instruments without a stored market, last traded first. Results are cached: otherwise a market that its venue
 * never lists would cause the trades of days to be read every time.
 */
export function createUnlisted(
  store: Pick<Store, "rows">,
  venueNow: () => number,
  { most, seconds, unlisted, listed }: Traded,
): () => Promise<readonly string[]> {
  let looked = { wholeMs: Number.NEGATIVE_INFINITY, untilMs: 0 };
  /** Instrument → Unix second of its last trade. */
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
    // If there are more, the others have to be found again.
    const isAll = traded.length < most && newest.length === rest.length;
    missing = new Map(newest);
    looked = { wholeMs: isAll ? (isWhole ? beganMs : looked.wholeMs) : Number.NEGATIVE_INFINITY, untilMs: beganMs };
    return newest.map(([id]) => id);
  };
}
