import { LRUCache } from "lru-cache";
import { byScore, type ScorePool, type ScoreRow } from "./score-board.ts";

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
  return Math.max(0, score);
}

const byKeyOf = (rows: readonly PlacedScore[]): PlacedScores => ({
  rows,
  byKey: new Map(rows.map((one) => [one.row.key, one])),
});
