/**
 * Counts how books rebuilt from changes agree with the complete books that the venue sent later. It sends one when a
 * trade changed the book, and reports the trade's levels by no change: the book rebuilt before it lacks the trade.
 */
export type Rebuilt = {
  compared: number;
  /** Equal level by level. */
  equal: number;
  /** Equal except for what a trade took from the best levels. */
  traded: number;
  /** Equal also except for orders that the venue reported by a change after the book that contains them. */
  reportedLater: number;
  /** Different after half a minute without a message, where the capture has a hole. */
  afterHole: number;
  other: number;
};

export const newRebuilt = (): Rebuilt => ({
  compared: 0,
  equal: 0,
  traded: 0,
  reportedLater: 0,
  afterHole: 0,
  other: 0,
});

type Side = Map<number, number>;
export type BookAt = { readonly ms: number; readonly bids: Side; readonly asks: Side };

const HOLE_MS = 30_000;
/** For this long after a book, a change may report what the book contained. */
export const REPORT_MS = 60_000;
/** Changes are batched before they are sent: this soon after, the level may have changed again. */
const REPORT_SOON_MS = 2000;

/** Compares a complete book with the one rebuilt before it; `later` are the changes of the minute after it. */
export function compareRebuilt(rebuilt: Rebuilt, before: BookAt, whole: BookAt, later: readonly BookAt[]): void {
  rebuilt.compared += 1;
  const left = {
    bids: untaken(before.bids, whole.bids, -1),
    asks: untaken(before.asks, whole.asks, 1),
  };
  const isReported = (side: "bids" | "asks"): boolean =>
    left[side].every((price) => wasReported({ side, price, size: whole[side].get(price) ?? 0 }, whole.ms, later));
  if (isSame(before.bids, whole.bids) && isSame(before.asks, whole.asks)) rebuilt.equal += 1;
  else if (left.bids.length + left.asks.length === 0) rebuilt.traded += 1;
  else if (isReported("bids") && isReported("asks")) rebuilt.reportedLater += 1;
  else if (whole.ms - before.ms > HOLE_MS) rebuilt.afterHole += 1;
  else rebuilt.other += 1;
}

type Level = { readonly side: "bids" | "asks"; readonly price: number; readonly size: number };

function wasReported({ side, price, size }: Level, ms: number, later: readonly BookAt[]): boolean {
  return later.some((change) => {
    const reported = change[side].get(price);
    return reported !== undefined && (reported === size || change.ms - ms < REPORT_SOON_MS);
  });
}

/** Prices that differ, without the best ones that a trade took: removed one after the other, the last one reduced. */
function untaken(had: Side, has: Side, rising: 1 | -1): readonly number[] {
  const differing = new Set([...had.keys(), ...has.keys()].filter((price) => had.get(price) !== has.get(price)));
  for (const price of [...had.keys()].sort((a, b) => (a - b) * rising)) {
    const rest = has.get(price) ?? 0;
    if (!differing.has(price) || rest >= (had.get(price) ?? 0)) break;
    differing.delete(price);
    if (rest > 0) break;
  }
  return [...differing];
}

const isSame = (a: Side, b: Side): boolean =>
  a.size === b.size && [...a].every(([price, size]) => b.get(price) === size);
