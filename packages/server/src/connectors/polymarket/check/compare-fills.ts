import { type DataTrade, fillKey } from "../data/trades-v2-wire.ts";
import { wholeSeconds } from "../data/trades-v2-pages.ts";

/** Some sixty minutes of the busiest hours, at a thousand rows a page. */
const MAX_CHUNKS = 200;

/**
 * The trades of a feed (newest first) in the seconds `after` (exclusive) to `to`, all of them past. The trades after
 * second `from` are complete; it is later than `after` if the walk did not get back that far.
 */
export async function readBetween(
  pages: AsyncIterable<readonly DataTrade[]>,
  after: number,
  to: number,
): Promise<{ readonly trades: readonly DataTrade[]; readonly from: number }> {
  const trades: DataTrade[] = [];
  let chunks = 0;
  for await (const chunk of wholeSeconds(pages)) {
    const oldest = chunk.at(-1)?.seconds ?? 0;
    for (const trade of chunk) if (trade.seconds > after && trade.seconds <= to) trades.push(trade);
    chunks += 1;
    if (oldest <= after) return { trades, from: after };
    if (chunks >= MAX_CHUNKS) return { trades, from: Math.min(oldest, to) };
  }
  return { trades, from: after };
}

/** Seconds at most this far apart belong to one span. */
const NEAR_SECONDS = 60;
/** Beyond this many spans, the last one absorbs the rest. */
const MAX_SPANS = 20;

/** The time spans that contain these seconds, in order, each with its first and last second. */
export function toSpans(seconds: readonly number[]): { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const second of seconds.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last !== undefined && (second - last.to <= NEAR_SECONDS || spans.length >= MAX_SPANS)) last.to = second;
    else spans.push({ from: second, to: second });
  }
  return spans;
}

/** Agreements and differences between fills read now and stored fills. */
export type ComparedFills = {
  readonly agreed: number;
  readonly missing: readonly DataTrade[];
  /** Stored fills that were not read now. */
  readonly unlisted: number;
};

/** Compares by fill and count, because a transaction may have several identical fills. */
export function compareFills(reported: readonly DataTrade[], stored: readonly string[]): ComparedFills {
  const left = new Map<string, number>();
  for (const key of stored) left.set(key, (left.get(key) ?? 0) + 1);
  const missing = reported.filter((trade) => {
    const count = left.get(fillKey(trade)) ?? 0;
    if (count > 0) left.set(fillKey(trade), count - 1);
    return count === 0;
  });
  const agreed = reported.length - missing.length;
  return { agreed, missing, unlisted: stored.length - agreed };
}

/**
 * Compares the Data API's taker fills with those of the chain walk; `unlisted` are transactions that the Data API does
 * not have. `stored` extends beyond the compared seconds `after` (exclusive) to `to`, because a reorganised transaction
 * keeps its first time at the Data API.
 */
export function compareTakers(
  reported: readonly DataTrade[],
  stored: readonly { readonly seconds: number; readonly key: string }[],
  after: number,
  to: number,
): ComparedFills {
  const compared = compareFills(
    reported,
    stored.map(({ key }) => key),
  );
  const listed = new Set(reported.map(({ tx_hash }) => tx_hash));
  const unlisted = stored.filter(({ seconds, key }) => seconds > after && seconds <= to && !listed.has(txOf(key)));
  return { ...compared, unlisted: new Set(unlisted.map(({ key }) => txOf(key))).size };
}

const txOf = (key: string): string => key.slice(0, key.indexOf("|"));
