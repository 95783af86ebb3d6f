import { MIN_ENTRIES } from "./scored-span-sql.ts";
import { measures, type Measures, type ScoreEvent, type WalletSample } from "./measures.ts";
import { createPool, type Pool } from "./pool.ts";

const BETWEEN = " / ";

/** Cached because the same few categories recur. */
const known = new Map<string, readonly string[]>();

/** A category, its parents and '' for all: "Sports / Tennis" → "", "Sports", "Sports / Tennis". */
export function categoryPaths(category: string): readonly string[] {
  const found = known.get(category);
  if (found) return found;
  const steps = category === "" ? [] : category.split(BETWEEN);
  const paths = ["", ...steps.map((_, index) => steps.slice(0, index + 1).join(BETWEEN))];
  known.set(category, paths);
  return paths;
}

/** A wallet as ranked in a category: its figures there, and the weight of its entries in the finest categories. */
export type Ranked = {
  readonly category: string;
  readonly measures: Measures;
  readonly shares: ReadonlyMap<string, number>;
};

export type Pools = {
  readonly poolOf: (category: string) => Pool;
  /** The categories' mean edges, weighted by the wallet's entries. */
  readonly priorOf: (ranked: Ranked) => number;
};

/** The categories in which a wallet has enough entries, '' first. Its days cover all categories. */
export function rankedIn(sample: WalletSample): Ranked[] {
  const byPath = new Map<string, ScoreEvent[]>();
  for (const event of sample.events) {
    for (const path of categoryPaths(event.category)) {
      const some = byPath.get(path);
      if (some) some.push(event);
      else byPath.set(path, [event]);
    }
  }
  return [...byPath]
    .filter(([, events]) => entriesOf(events) >= MIN_ENTRIES)
    .map(([category, events]) => ({ category, measures: measures(events, sample.days), shares: sharesOf(events) }));
}

const entriesOf = (events: readonly ScoreEvent[]): number => events.reduce((sum, { entries }) => sum + entries, 0);

type Means = Map<string, { skill: number; weight: number }>;
type Waiting = { readonly wallet: string; readonly ranked: Ranked };

/** Gathers the pools of all categories; keeps only the ranked values of a sample, which `add` returns. */
export function createPoolGatherer(): { add: (sample: WalletSample) => readonly Ranked[]; close: () => Pools } {
  const means: Means = new Map();
  const waiting = new Map<string, Waiting[]>();
  return {
    add: (sample) => {
      const all = rankedIn(sample);
      for (const ranked of all) {
        if (ranked.category === "") addMeans(means, sample.events);
        const some = waiting.get(ranked.category) ?? [];
        some.push({ wallet: sample.wallet, ranked });
        waiting.set(ranked.category, some);
      }
      return all;
    },
    close: () => {
      const pools = new Map<string, Pool>();
      for (const [category, some] of waiting) {
        const members = some.map(({ wallet, ranked }) => ({
          wallet,
          measures: ranked.measures,
          prior: priorOf(means, ranked.shares),
        }));
        pools.set(category, createPool(members));
      }
      const nobody = createPool([]);
      return {
        poolOf: (category) => pools.get(category) ?? nobody,
        priorOf: ({ shares }) => priorOf(means, shares),
      };
    },
  };
}

/** The mean edges of the finest categories, weighted by their share in a wallet's edge. */
function priorOf(means: Means, shares: ReadonlyMap<string, number>): number {
  let sum = 0;
  let weight = 0;
  for (const [category, share] of shares) {
    const mean = means.get(category);
    sum += mean && mean.weight > 0 ? (share * mean.skill) / mean.weight : 0;
    weight += share;
  }
  return weight > 0 ? sum / weight : 0;
}

function addMeans(means: Means, events: readonly ScoreEvent[]): void {
  for (const { category, skillSum, weight } of events) {
    const mean = means.get(category) ?? { skill: 0, weight: 0 };
    mean.skill += skillSum;
    mean.weight += weight;
    means.set(category, mean);
  }
}

function sharesOf(events: readonly ScoreEvent[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { category, weight } of events) shares.set(category, (shares.get(category) ?? 0) + weight);
  return shares;
}
