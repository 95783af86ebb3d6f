import type { Board } from "../../definition/served-keyed.ts";
import { bind, fromDefinition, sql, type Bound } from "../../definition/sql.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { lastDaySql } from "../../definition/timestamp.ts";
import { everNearby, inNewestPool } from "./newest-pool-sql.ts";
import { PARTS, roundedScore } from "./score-factors.ts";
import { LRUCache } from "lru-cache";

/** Estimate for one wallet. */
const BYTES_A_ROW = 600;
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
  /** In the order in which they multiply a score. */
  readonly factors: readonly number[];
  /** A JSON list. */
  readonly reasons: string;
};

export type ScorePool = {
  /** Ordered by score, ties by address. */
  readonly rows: readonly ScoreRow[];
};

/** The pool of a category on the newest completely scored day among a day (since 1970) and the day before. */
export function scoreBoard(asOf: number, category: Bound | undefined): Board<ScorePool> {
  const day = lastDaySql(asOf);
  const ever = everNearby(day, category);
  const numbers = fromDefinition(`arrayStringConcat(arrayMap(one -> toString(one), [${NUMBERS.join(", ")}]), ' ')`);
  return {
    id: `scores ${asOf} ${category === undefined ? "" : JSON.stringify(category.value)}`,
    tables: [walletScores],
    make: async (read) => {
      const reported = await read.rows<Reported>(
        sql`SELECT ${KEY}, ${numbers} AS numbers, toJSONString(reasons) AS listed FROM ${walletScores} FINAL WHERE ${inNewestPool(day, category)}`,
      );
      return { rows: reported.map(rowOf).sort((a, b) => byScore(a.score, a.key, b.score, b.key)) };
    },
    // A row may complete a day, whose pool then replaces another as the newest: the board is rebuilt.
    changedSince: (version) =>
      sql`SELECT ${KEY} FROM ${walletScores} WHERE ${ever} AND version >= ${bind("UInt64", version)} LIMIT 1`,
    bytesOf: ({ rows }) => rows.length * BYTES_A_ROW,
  };
}

type Reported = Readonly<Record<"key" | "numbers" | "listed", string>>;

function rowOf({ key, numbers, listed }: Reported): ScoreRow {
  const [score = 0, ...rest] = numbers.split(" ").map(Number);
  const [parts, factors] = [rest.slice(0, PARTS.length), rest.slice(PARTS.length)];
  return { key, score, parts, factors, reasons: listed };
}

/** Compares scores: the highest first, ties by address. */
export function byScore(score: number, key: string, otherScore: number, otherKey: string): number {
  if (score !== otherScore) return otherScore - score;
  return key < otherKey ? -1 : key > otherKey ? 1 : 0;
}

/** A wallet of a pool with its place under the requested weights. */
export type PlacedScore = {
  readonly row: ScoreRow;
  /** From 1. */
  readonly place: number;
  readonly score: number;
};
export type PlacedScores = {
  /** Ordered by place. */
  readonly rows: readonly PlacedScore[];
  readonly byKey: ReadonlyMap<string, PlacedScore>;
};

/** Number of weightings for which a pool's places are cached. */
const MAX_WEIGHTS = 4;
const kept = new WeakMap<ScorePool, LRUCache<string, PlacedScores>>();

/**
 * The wallets of a pool under other weights of their parts (in the order of PARTS), or under those of their stored
 * scores.
 */
export function placedScores(pool: ScorePool, weights: readonly number[] | undefined): PlacedScores {
  const ofPool = kept.get(pool) ?? new LRUCache<string, PlacedScores>({ max: MAX_WEIGHTS });
  kept.set(pool, ofPool);
  const name = weights?.join(" ") ?? "";
  const known = ofPool.get(name) ?? (weights === undefined ? asMade(pool) : reweighed(pool, weights));
  ofPool.set(name, known);
  return known;
}

const asMade = ({ rows }: ScorePool): PlacedScores =>
  byKeyOf(rows.map((row, at) => ({ row, place: at + 1, score: row.score })));

function reweighed({ rows }: ScorePool, weights: readonly number[]): PlacedScores {
  const weighed = rows
    .map((row) => ({ row, score: weighedScore(row, weights) }))
    .sort((a, b) => byScore(a.score, a.row.key, b.score, b.row.key));
  return byKeyOf(weighed.map(({ row, score }, at) => ({ row, place: at + 1, score })));
}

/** Adds and multiplies floats in the engine's order. */
function weighedScore({ parts, factors }: ScoreRow, weights: readonly number[]): number {
  let sum = 0;
  for (const [at, part] of parts.entries()) sum += part * (weights[at] ?? 0);
  let score = 100 * sum;
  for (const factor of factors) score *= factor;
  return roundedScore(score);
}

const byKeyOf = (rows: readonly PlacedScore[]): PlacedScores => ({
  rows,
  byKey: new Map(rows.map((one) => [one.row.key, one])),
});
