import { CARRIED } from "../../definition/fill.ts";
import { bucketAt, firstOf, lastOf, type BucketSearch } from "../../definition/served-buckets.ts";
import { LAST_SECOND } from "../../definition/served.ts";
import { closeOf, type Amount, type Bucket } from "./fold-buckets.ts";

export type Traded = { readonly second: number; readonly close: Amount };

export type Reading = {
  /** Undefined if too many minutes would be scanned. */
  readonly fold: (search: BucketSearch) => Bucket[] | undefined;
  /** The last trade up to a second; null if there is none, undefined if unknown. */
  readonly closeUpTo: (second: number) => Traded | null | undefined;
};

const NOTHING: Bucket["taken"] = new Map();

/** Every bucket of a page from the first with a trade to the last; one without trades repeats the previous close. */
export function fillBuckets(search: BucketSearch, depth: number, { fold, closeUpTo }: Reading): Bucket[] | undefined {
  const { lengths, from } = search;
  const newest = closeUpTo(LAST_SECOND);
  if (newest === undefined) return undefined;
  const to = newest === null ? -1 : Math.min(search.to, lastOf(lengths, bucketAt(lengths, newest.second)));
  if (to < from) return [];
  const before = from === 0 ? null : closeUpTo(from - 1);
  if (search.isForward) return fillForward({ ...search, to }, depth, fold, before);
  const reported = fold({ ...search, to });
  if (reported === undefined) return undefined;
  const [low, high] = [bucketAt(lengths, from), bucketAt(lengths, to)];
  // Without a trade before the range, the series begins with the first trade in it.
  const isOpen = before === null || before === undefined;
  const end =
    isOpen && reported.length < depth ? (reported.findLast((one) => closeOf(one) !== null)?.name ?? high) : low;
  const all = between(reported, { begin: high, end, step: -lengths.length, depth });
  if (before === undefined && all.length < depth) return undefined;
  const oldest = all.at(-1);
  if (oldest === undefined) return all;
  const earlier = closeOf(oldest) === null ? closeUpTo(firstOf(lengths, oldest.name) - 1) : null;
  return earlier === undefined ? undefined : carried(all.toReversed(), earlier?.close ?? null).toReversed();
}

function fillForward(
  search: BucketSearch,
  depth: number,
  fold: Reading["fold"],
  before: Traded | null | undefined,
): Bucket[] | undefined {
  const { lengths, from, to } = search;
  if (before === undefined) return undefined;
  // Buckets before the first trade ever are omitted, however many they are.
  const first = before === null ? fold({ ...search, fill: "none" }) : [{ name: bucketAt(lengths, from) }];
  const begin = first?.[0]?.name;
  if (begin === undefined) return first && [];
  const reported = fold({ ...search, from: firstOf(lengths, begin) });
  const series = { begin, end: bucketAt(lengths, to), step: lengths.length, depth };
  return reported && carried(between(reported, series), before?.close ?? null);
}

type Series = { readonly begin: number; readonly end: number; readonly step: number; readonly depth: number };

/** Fills the gaps between buckets from `begin` to `end`, up to `depth` in all. */
function between(reported: readonly Bucket[], { begin, end, step, depth }: Series): Bucket[] {
  const all: Bucket[] = [];
  let next = 0;
  for (let name = begin; all.length < depth && (step > 0 ? name <= end : name >= end); name += step) {
    const one = reported[next];
    if (one?.name === name) next += 1;
    all.push(one?.name === name ? one : { name, taken: NOTHING });
  }
  return all;
}

/** Oldest first: a bucket without trades repeats the previous close, and is omitted before the first trade. */
function carried(buckets: readonly Bucket[], before: Amount): Bucket[] {
  let close = before;
  return buckets.flatMap((bucket) => {
    if (closeOf(bucket) !== null) close = closeOf(bucket);
    else if (close === null) return [];
    else
      return [{ name: bucket.name, taken: new Map([...bucket.taken, ...CARRIED.map((one) => [one, close] as const)]) }];
    return [bucket];
  });
}
