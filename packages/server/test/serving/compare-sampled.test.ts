import { expect, test } from "vitest";
import { polymarketTrades } from "../../src/datasets/polymarket-trades.ts";
import { bind } from "../../src/definition/sql.ts";
import { compareSampled, type Compared, type ComparedPage } from "../../src/query/served/compare-sampled.ts";

const page = { limit: 1, offset: 0, format: "raw", now: bind("Int64", "0") } as const;
const pageOf = (text: string): ComparedPage => ({
  body: Buffer.from(text),
  rowCount: 1,
  hasMore: false,
  last: undefined,
  etag: '""',
  asOf: undefined,
});

/** What is told of one page of the index, one of the engine, and a table that changes or does not while that is read. */
async function comparedOf(index: ComparedPage, engine: string, changes: boolean, random = 0): Promise<Compared[]> {
  const told: Compared[] = [];
  let stamp = "before";
  const read = compareSampled(
    async () => index,
    async () => {
      if (changes) stamp = "after";
      return pageOf(engine);
    },
    { store: { stampOf: () => stamp }, compared: (outcome) => void told.push(outcome), random: () => random },
  );
  expect(await read(polymarketTrades, {}, page)).toBe(index);
  await new Promise(setImmediate);
  return told;
}

test("a page that is read both ways is told to be equal or not, unless its tables changed meanwhile", async () => {
  expect(await comparedOf(pageOf("[1]"), "[1]", false)).toEqual(["equal"]);
  expect(await comparedOf(pageOf("[1]"), "[2]", false)).toEqual(["different"]);
  expect(await comparedOf(pageOf("[1]"), "[2]", true)).toEqual(["changed"]);
});

test("a page that lacks what is on its way is not compared, nor are most others", async () => {
  expect(await comparedOf({ ...pageOf("[1]"), asOf: 5 }, "[2]", false)).toEqual([]);
  expect(await comparedOf(pageOf("[1]"), "[2]", false, 0.5)).toEqual([]);
});

/** What is counted of a page that the index answers otherwise once all changes have come, and whose table changes by then or not. */
async function comparedAfter(later: string, changes = false): Promise<Compared[]> {
  const told: Compared[] = [];
  let [stamp, text] = ["before", "[1]"];
  const settle = async (): Promise<void> => {
    text = later;
    if (changes) stamp = "after";
  };
  const read = compareSampled(
    async () => ({ ...pageOf(text), asOf: 5 }),
    async () => pageOf("[2]"),
    { store: { stampOf: () => stamp }, compared: (outcome) => void told.push(outcome), random: () => 0, settle },
  );
  await read(polymarketTrades, {}, page);
  await new Promise(setImmediate);
  return told;
}

test("where changes come a moment later, pages are different that still are when all have come", async () => {
  expect(await comparedAfter("[1]")).toEqual(["different"]);
  expect(await comparedAfter("[2]")).toEqual(["changed"]);
  expect(await comparedAfter("[1]", true)).toEqual(["changed"]);
});
