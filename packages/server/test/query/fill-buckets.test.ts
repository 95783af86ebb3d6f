import { expect, test } from "vitest";
import { bucketAt, type BucketSearch } from "../../src/definition/served-buckets.ts";
import { fillBuckets } from "../../src/query/served/fill-buckets.ts";

const MINUTE = 60;
const lengths = { length: MINUTE, shift: 0, isNamedByEnd: false };
/** A trade in the 100th minute and one in the 103rd; a quote in the 98th. */
const CLOSES = new Map([
  [98, null],
  [100, 4],
  [103, 5],
]);

const bucketsOf = (search: BucketSearch, depth: number) => {
  const minutes = [...CLOSES].map(([minute, close]) => ({ name: minute * MINUTE, taken: new Map([["close", close]]) }));
  const fold = ({ from, to, fill, isForward }: BucketSearch) => {
    const found = minutes.filter(
      ({ name, taken }) => name >= from && name <= to && (fill !== "none" || taken.get("close") !== null),
    );
    return (isForward ? found : found.toReversed()).slice(0, depth);
  };
  const closeUpTo = (second: number) => {
    const [last] = fold({ ...search, fill: "none", isForward: false, from: 0, to: second });
    return last === undefined ? null : { second: last.name, close: last.taken.get("close") ?? null };
  };
  const found = fillBuckets(search, depth, { fold, closeUpTo });
  return found?.map(({ name, taken }) => [name / MINUTE, taken.get("close")]);
};

const searchOf = (from: number, to: number, isForward: boolean): BucketSearch => ({
  key: "K",
  lengths,
  from: bucketAt(lengths, from * MINUTE),
  to: to * MINUTE + MINUTE - 1,
  fill: "previous",
  isForward,
  row: () => ({}),
});

test.each([1, 2, 3, 10])(
  "a range that begins long before the first trade starts with that trade, on pages of %i",
  (depth) => {
    const all = [
      [100, 4],
      [101, 4],
      [102, 4],
      [103, 5],
    ];
    expect(bucketsOf(searchOf(1, 500, true), depth)).toEqual(all.slice(0, depth));
    expect(bucketsOf(searchOf(97, 500, true), depth)).toEqual(all.slice(0, depth));
    expect(bucketsOf(searchOf(1, 500, false), depth)).toEqual(all.toReversed().slice(0, depth));
    expect(bucketsOf(searchOf(102, 500, true), depth)).toEqual(all.slice(2, 2 + depth));
    expect(bucketsOf(searchOf(1, 99, true), depth)).toEqual([]);
    expect(bucketsOf(searchOf(104, 500, true), depth)).toEqual([]);
  },
);
