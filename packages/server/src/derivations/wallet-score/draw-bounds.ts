import { LRUCache } from "lru-cache";
import { atMost } from "../../definition/at-most.ts";
import { beside } from "../../definition/beside.ts";
import { hexOf } from "../../definition/filter.ts";
import type { ReadEngine } from "../../definition/read-engine.ts";
import { sql, type Sql } from "../../definition/sql.ts";
import { bootstrapScore } from "./bootstrap-score.ts";
import { categoryPaths } from "./category-paths.ts";
import { readDrawnSamples, sampleName, type SampleOf } from "./drawn-samples.ts";
import { readPoolColumns } from "./pool-columns.ts";
import { createJudge, type Judge, type PoolScales } from "./pool.ts";
import { WIDE } from "./reasons.ts";
import type { WalletSample } from "./wallet-sample.ts";

/** What bounds of a row of wallet_scores are drawn by. */
export type Drawable = SampleOf &
  PoolScales &
  Readonly<Record<"category" | "version", string>> &
  Readonly<Record<"prior" | "penalty", number>>;
type Bounds = { readonly low: number; readonly high: number; readonly isWide: boolean };

export type Drawn<Row extends Drawable = Drawable> = Row & Bounds;

/** Columns of a Drawable of wallet_scores. */
export const DRAWABLE: Sql = sql`toString(day) AS day, category, ${hexOf(sql`wallet`)} AS wallet, toString(version) AS version, edge_prior AS prior, luck_scale AS scale, edges_between AS between, wash_factor * sybil_factor * farmer_factor * maker_factor AS penalty`;

const MOST_KEPT = 50_000;
const kept = new WeakMap<ReadEngine, LRUCache<string, Bounds>>();

const seedOf = ({ day, category, wallet }: Drawable): string => `${day} ${category} ${wallet}`;

/**
 * Some scores with their bounds, drawn once for every version of a score and beside other work. Left out are rows that do
 * not tell by what, and wallets whose entries were taken back since. Throws StoreError.
 */
export async function drawBounds<Row extends Drawable>(rows: readonly Row[], read: ReadEngine): Promise<Drawn<Row>[]> {
  const known = kept.get(read) ?? new LRUCache<string, Bounds>(atMost(MOST_KEPT));
  kept.set(read, known);
  const keyOf = (row: Drawable): string => `${row.version} ${seedOf(row)}`;
  const missing = rows.filter((row) => row.scale > 0 && !known.has(keyOf(row)));
  const samples = missing.length === 0 ? undefined : await readDrawnSamples(missing, read);
  const pools = Map.groupBy(missing, ({ day, category, scale, between }) =>
    JSON.stringify([day, category, scale, between]),
  );
  for (const some of pools.values()) {
    const [first] = some as [Drawable, ...Drawable[]];
    const judge = createJudge(first, await readPoolColumns(first.day, first.category, read));
    await beside(
      (function* drawEach() {
        for (const row of some) {
          const bounds = drawOne(row, samples?.get(sampleName(row)), judge);
          if (bounds !== undefined) known.set(keyOf(row), bounds);
          yield;
        }
      })(),
    );
  }
  return rows.flatMap((row) => {
    const bounds = known.get(keyOf(row));
    return bounds === undefined ? [] : [Object.assign({}, row, bounds)];
  });
}

function drawOne(row: Drawable, sample: WalletSample | undefined, judge: Judge): Bounds | undefined {
  const events = sample?.events.filter(({ category }) => categoryPaths(category).includes(row.category)) ?? [];
  if (sample === undefined || events.length === 0) return undefined;
  const { prior, penalty } = row;
  const [low, high] = bootstrapScore({ events, days: sample.days, prior, penalty, judge, seed: seedOf(row) });
  return { low, high, isWide: high - low > WIDE };
}
