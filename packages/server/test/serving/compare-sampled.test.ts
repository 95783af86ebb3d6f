import { expect, test } from "vitest";
import { polymarketTrades } from "../../src/datasets/polymarket-trades.ts";
import { bind } from "../../src/definition/sql.ts";
import {
  compareSampled,
  type Compared,
  type ComparedPage,
  type Difference,
} from "../../src/query/served/compare-sampled.ts";

const page = { limit: 1, offset: 0, format: "raw", now: bind("Int64", "0") } as const;
const pageOf = (text: string): ComparedPage => ({
  body: Buffer.from(text),
  rowCount: 1,
  hasMore: false,
  last: undefined,
  etag: '""',
  asOf: undefined,
});

/** Outcomes reported for a page of the index and one of the engine, whose table may change during the read. */
async function comparedOf(
  index: ComparedPage,
  engine: string,
  changes: boolean,
  random = 0,
  restMs = 10_000,
): Promise<Compared[]> {
  const reported: Compared[] = [];
  let stamp = 0;
  const read = compareSampled(
    async () => index,
    async () => {
      if (changes) stamp = 1;
      return pageOf(engine);
    },
    {
      store: { stampOf: () => stamp, unchangedMs: () => restMs },
      compared: (outcome) => void reported.push(outcome),
      random: () => random,
      settle: () => Promise.resolve(),
      isFollowing: false,
      dictionaryMs: 10_000,
    },
  );
  expect(await read(polymarketTrades, {}, page)).toBe(index);
  await new Promise(setImmediate);
  return reported;
}

test("reports a page read both ways as equal or different, unless its tables changed meanwhile", async () => {
  expect(await comparedOf(pageOf("[1]"), "[1]", false)).toEqual(["equal"]);
  expect(await comparedOf(pageOf("[1]"), "[2]", false)).toEqual(["different"]);
  expect(await comparedOf(pageOf("[1]"), "[2]", true)).toEqual(["changed"]);
});

test("does not compare a page that lacks pending rows, nor pages outside the sample", async () => {
  expect(await comparedOf({ ...pageOf("[1]"), asOf: 5 }, "[2]", false)).toEqual([]);
  expect(await comparedOf(pageOf("[1]"), "[2]", false, 0.5)).toEqual([]);
});

/** Outcomes for a page that the index answers with `later` after all changes, and whose table may change by then. */
async function comparedAfter(
  later: string,
  { changes = false, isFollowing = true, restMs = 10_000 } = {},
): Promise<Compared[]> {
  const reported: Compared[] = [];
  const differences: (Difference | undefined)[] = [];
  let [stamp, text] = [0, "[1]"];
  const settle = async (): Promise<void> => {
    text = later;
    if (changes) stamp = 1;
  };
  const read = compareSampled(
    async () => (isFollowing ? { ...pageOf(text), asOf: 5 } : pageOf(text)),
    async () => pageOf("[2]"),
    {
      store: { stampOf: () => stamp, unchangedMs: () => restMs },
      compared: (outcome, _dataset, difference) => {
        reported.push(outcome);
        differences.push(difference);
      },
      random: () => 0,
      settle,
      isFollowing,
      dictionaryMs: 10_000,
    },
  );
  await read(polymarketTrades, {}, page);
  await new Promise(setImmediate);
  const isDifferent = reported.includes("different");
  expect(differences).toEqual([isDifferent ? { at: 1, index: "[1]", engine: "[2]" } : undefined]);
  return reported;
}

test.each([true, false])(
  "reports pages as different if they still differ after all changes (following another process: %s)",
  async (isFollowing) => {
    expect(await comparedAfter("[1]", { isFollowing })).toEqual(["different"]);
    expect(await comparedAfter("[2]", { isFollowing })).toEqual(["changed"]);
    expect(await comparedAfter("[1]", { changes: true, isFollowing })).toEqual(["changed"]);
  },
);

test("does not report a page as different while its dictionary may be out of date", async () => {
  expect(await comparedAfter("[1]", { restMs: 9_999, isFollowing: false })).toEqual(["changed"]);
});
