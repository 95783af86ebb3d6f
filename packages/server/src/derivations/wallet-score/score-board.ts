import { isOneOf } from "../../definition/filter.ts";
import type { Board } from "../../definition/served-keyed.ts";
import { bind, fromDefinition, sql, type Bound } from "../../definition/sql.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { lastDaySql } from "../../definition/as-of-day.ts";
import { everNearby, inNewestPool } from "./newest-pool-sql.ts";
import { PARTS } from "./ranked-scores-sql.ts";

const WALLET_BYTES = 20;
const KEY = sql`concat('0x', lower(hex(wallet))) AS key`;
const FACTORS = ["wash", "sybil", "farmer", "maker"].map((one) => `${one}_factor`);
const NUMBERS = ["score", ...PARTS.map((part) => `${part}_pct`), ...FACTORS];

/** A wallet of a pool. */
export type ScoreRow = {
  /** The wallet, 0x-hex. */
  readonly key: string;
  readonly score: number;
  /** Percentiles, in the order of PARTS. */
  readonly parts: readonly number[];
  /** In the order in which a score is multiplied by them. */
  readonly factors: readonly number[];
  /** A list, as JSON. */
  readonly reasons: string;
};

/** The pool of a category on the newest day scored whole of a day (since 1970) and the day before, by score, ties by address. */
export function scoreBoard(asOf: number, category: Bound | undefined): Board<ScoreRow> {
  const day = lastDaySql(asOf);
  const ever = everNearby(day, category);
  const numbers = fromDefinition(`arrayStringConcat(arrayMap(one -> toString(one), [${NUMBERS.join(", ")}]), ' ')`);
  return {
    id: `scores ${asOf} ${category === undefined ? "" : JSON.stringify(category.value)}`,
    tables: [walletScores],
    rows: (among) =>
      sql`SELECT ${KEY}, ${numbers} AS numbers, toJSONString(reasons) AS listed FROM ${walletScores} FINAL WHERE ${inNewestPool(day, category)}${among ? sql` AND ${isOneOf(sql`wallet`, among, WALLET_BYTES)}` : sql``}`,
    // A row may make a day whole, and its pool the newest in place of another: all change then.
    changedSince: (version) =>
      sql`SELECT DISTINCT ${KEY} FROM ${walletScores} WHERE ${ever} AND (SELECT count() FROM ${walletScores} WHERE ${ever} AND version >= ${bind("UInt64", version)}) > 0`,
    read: ({ key = "", numbers: told = "", listed = "" }) => {
      const [score = 0, ...rest] = told.split(" ").map(Number);
      const [parts, factors] = [rest.slice(0, PARTS.length), rest.slice(PARTS.length)];
      return { key, score, parts, factors, reasons: listed };
    },
    compare: (a, b) => byScore(a.score, a.key, b.score, b.key),
  };
}

/** The highest first, ties by address. */
export function byScore(score: number, key: string, otherScore: number, otherKey: string): number {
  if (score !== otherScore) return otherScore - score;
  return key < otherKey ? -1 : key > otherKey ? 1 : 0;
}
