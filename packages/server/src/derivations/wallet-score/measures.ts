import { calm, type Day } from "./calm.ts";
import { cappedProfit } from "./capped-profit.ts";
import { probabilisticSharpe } from "./probabilistic-sharpe.ts";
import type { ScoreEvent } from "./score-event.ts";

/** A wallet's figures over some events and days, before they are ranked. */
export type Measures = {
  readonly entries: number;
  readonly events: number;
  /** Mean edge and what it weighs. */
  readonly edge: number;
  readonly weight: number;
  /** Model variance of the edge, before it is scaled by how much events vary in fact. */
  readonly variance: number;
  /** Sum of the events' squared residuals, and what the model expects of it. */
  readonly residual: number;
  readonly expected: number;
  readonly z: number;
  readonly profit: number;
  readonly sharpe: number | null;
  readonly calm: number | null;
  readonly clv: number | null;
  readonly breadth: number;
};

/** Below this much capital (USD) a day's return says nothing. */
export const LEAST_CAPITAL = 1;

/** Works out what is ranked. Events are clusters: within one, entries count as one observation's worth of luck. */
export function measures(events: readonly ScoreEvent[], days: readonly Day[]): Measures {
  const sums = sumUp(events);
  const edge = sums.weight > 0 ? sums.skill / sums.weight : 0;
  let residual = 0;
  for (const event of events) residual += (event.skillSum - event.weight * edge) ** 2;
  return {
    entries: sums.entries,
    events: sums.active,
    edge,
    weight: sums.weight,
    variance: sums.weight > 0 ? sums.expected / sums.weight ** 2 : 1,
    residual,
    expected: sums.expected,
    z: sums.variance > 0 ? sums.edge / Math.sqrt(sums.variance) : 0,
    profit: cappedProfit(events),
    sharpe: probabilisticSharpe(returnsOf(days)),
    calm: calm(days),
    clv: sums.clvEntries > 0 ? sums.clv / sums.clvEntries : null,
    breadth: sums.squares > 0 ? sums.entries ** 2 / sums.squares : 0,
  };
}

/** A day's profit over its capital; NaN without capital enough. */
export const returnOf = ({ profit, capital }: Day): number => (capital >= LEAST_CAPITAL ? profit / capital : NaN);

function returnsOf(days: readonly Day[]): Float64Array {
  const returns = new Float64Array(days.length);
  let known = 0;
  for (const day of days) {
    const found = returnOf(day);
    if (Number.isNaN(found)) continue;
    returns[known] = found;
    known += 1;
  }
  return returns.subarray(0, known);
}

function sumUp(events: readonly ScoreEvent[]) {
  const sums = {
    entries: 0,
    active: 0,
    squares: 0,
    edge: 0,
    variance: 0,
    skill: 0,
    weight: 0,
    expected: 0,
    clv: 0,
    clvEntries: 0,
  };
  for (const event of events) {
    sums.entries += event.entries;
    sums.active += event.entries > 0 ? 1 : 0;
    sums.squares += event.entries ** 2;
    sums.edge += event.edgeSum;
    sums.variance += event.varianceSum;
    sums.skill += event.skillSum;
    sums.weight += event.weight;
    sums.expected += event.weight * event.spread;
    sums.clv += event.clvSum;
    sums.clvEntries += event.clvEntries;
  }
  return sums;
}
