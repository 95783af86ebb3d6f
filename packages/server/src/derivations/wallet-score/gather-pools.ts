import { categoryPaths } from "./category-paths.ts";
import { LEAST_ENTRIES } from "./eligible-sql.ts";
import { measures, type Measures } from "./measures.ts";
import { createPool, type Pool } from "./pool.ts";
import type { ScoreEvent } from "./score-event.ts";
import type { WalletSample } from "./wallet-sample.ts";

/** A wallet as it is ranked in a category: its events there, and the mean edge that its own is shrunk to. */
export type Ranked = { readonly category: string; readonly events: readonly ScoreEvent[]; readonly measures: Measures };

export type Pools = {
  readonly poolOf: (category: string) => Pool;
  /** The categories' mean edges, weighted as the wallet's entries are. */
  readonly priorOf: (ranked: Ranked) => number;
};

/** The categories in which a wallet has enough entries, '' first. Its days are those of all categories. */
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
    .map(([category, events]) => ({ category, events, measures: measures(events, sample.days) }))
    .filter((one) => one.measures.entries >= LEAST_ENTRIES);
}

type Means = Map<string, { skill: number; weight: number }>;
type Waiting = { readonly wallet: string; readonly measures: Measures; readonly shares: ReadonlyMap<string, number> };

/** Gathers the pools of all categories; samples are handed over a few at a time and not kept. */
export function createPoolGatherer(): { add: (sample: WalletSample) => void; close: () => Pools } {
  const means: Means = new Map();
  const waiting = new Map<string, Waiting[]>();
  return {
    add: (sample) => {
      for (const { category, events, measures: found } of rankedIn(sample)) {
        if (category === "") addMeans(means, events);
        const some = waiting.get(category) ?? [];
        some.push({ wallet: sample.wallet, measures: found, shares: sharesOf(events) });
        waiting.set(category, some);
      }
    },
    close: () => {
      const pools = new Map<string, Pool>();
      for (const [category, some] of waiting) {
        const members = some.map(({ wallet, measures: own, shares }) => ({
          wallet,
          measures: own,
          prior: priorOf(means, shares),
        }));
        pools.set(category, createPool(members));
      }
      const nobody = createPool([]);
      return {
        poolOf: (category) => pools.get(category) ?? nobody,
        priorOf: ({ events }) => priorOf(means, sharesOf(events)),
      };
    },
  };
}

/** The mean edges of the finest categories, in the shares in which a wallet's edge is made of them. */
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
