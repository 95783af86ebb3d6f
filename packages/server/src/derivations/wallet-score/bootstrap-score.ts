import { type Day, type ScoreEvent, calm, MAX_OF_ALL, returnOf, probabilisticSharpe } from "./measures.ts";
import type { Judge, Judgeable } from "./pool.ts";
import { scoreOf } from "./score-factors.ts";

/** Random integers below a bound, reproducible by seed text (FNV-1a into mulberry32). For resampling, not secrets. */
export function seededRandom(seed: string): (bound: number) => number {
  let state = 0x811c_9dc5;
  for (let place = 0; place < seed.length; place += 1) {
    state = Math.imul(state ^ seed.charCodeAt(place), 0x0100_0193);
  }
  return (bound) => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * bound);
  };
}

export const SAMPLES = 200;
export const OUTSIDE = 0.05;

type Resampled = {
  readonly events: readonly ScoreEvent[];
  readonly days: readonly Day[];
  readonly prior: number;
  readonly penalty: number;
  readonly judge: Judge;
  readonly seed: string;
};

/**
 * Bounds (5 % and 95 %) of a score: events are redrawn with replacement, 200 times, and days likewise for the risk
 * part; the pool is fixed. The same seed gives the same bounds.
 */
export function bootstrapScore({ events, days, prior, penalty, judge, seed }: Resampled): [number, number] {
  const draw = createResampler(events, days, seededRandom(seed));
  const scores = new Float64Array(SAMPLES);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const { parts } = judge(draw(), prior);
    scores[sample] = scoreOf(parts, penalty);
  }
  scores.sort();
  const at = (share: number): number => scores[Math.round(share * (SAMPLES - 1))] ?? 0;
  return [at(OUTSIDE), at(1 - OUTSIDE)];
}

const WIDTH = 9;
const SUM = 7;
const MOST = 8;

/**
 * Figures of the events in columns, because a sample reads each of them hundreds of times. `firsts` gives the start of
 * each event's profits.
 */
type Columns = {
  readonly figures: Float64Array;
  readonly profits: Float64Array;
  readonly firsts: Int32Array;
};

function columnsOf(events: readonly ScoreEvent[]): Columns {
  const figures = new Float64Array(events.length * WIDTH);
  const firsts = new Int32Array(events.length + 1);
  const profits: number[] = [];
  let at = 0;
  for (const event of events) {
    let [gains, sum, most] = [0, 0, 0];
    for (const profit of event.profits) {
      profits.push(profit);
      sum += profit;
      if (profit > 0) gains += profit;
      if (profit > most) most = profit;
    }
    figures[at] = event.entries;
    figures[at + 1] = event.skillSum;
    figures[at + 2] = event.weight;
    figures[at + 3] = event.weight * event.spread;
    figures[at + 4] = event.clvSum;
    figures[at + 5] = event.clvEntries;
    figures[at + 6] = gains;
    figures[at + SUM] = sum;
    figures[at + MOST] = most;
    at += WIDTH;
    firsts[at / WIDTH] = profits.length;
  }
  return { figures, profits: Float64Array.from(profits), firsts };
}

/**
 * Draws as many events, and days, with replacement: each call returns the figures of `measures` for a new draw, limited
 * to those by which a pool judges.
 */
export function createResampler(
  events: readonly ScoreEvent[],
  days: readonly Day[],
  random: (bound: number) => number,
): () => Judgeable {
  const columns = columnsOf(events);
  const drawn = new Int32Array(events.length);
  const some = [...days];
  const returns = new Float64Array(days.map(returnOf));
  const drawnReturns = new Float64Array(days.length);
  return () => {
    for (let place = 0; place < drawn.length; place += 1) drawn[place] = random(drawn.length);
    let known = 0;
    for (let place = 0; place < some.length; place += 1) {
      const day = random(days.length);
      some[place] = days[day] as Day;
      const found = returns[day] ?? NaN;
      if (Number.isNaN(found)) continue;
      drawnReturns[known] = found;
      known += 1;
    }
    const sharpe = probabilisticSharpe(drawnReturns, known);
    return judgeableOf(columns, drawn, { sharpe, calm: calm(some) });
  };
}

function judgeableOf(
  columns: Columns,
  drawn: Int32Array,
  { sharpe, calm: calmness }: Pick<Judgeable, "sharpe" | "calm">,
): Judgeable {
  const { figures } = columns;
  let [entries, squares, skill, weight, expected, clv, clvEntries] = [0, 0, 0, 0, 0, 0, 0];
  let [gains, profit, most] = [0, 0, 0];
  for (let place = 0; place < drawn.length; place += 1) {
    const at = (drawn[place] ?? 0) * WIDTH;
    const count = figures[at] ?? 0;
    entries += count;
    squares += count * count;
    skill += figures[at + 1] ?? 0;
    weight += figures[at + 2] ?? 0;
    expected += figures[at + 3] ?? 0;
    clv += figures[at + 4] ?? 0;
    clvEntries += figures[at + 5] ?? 0;
    gains += figures[at + 6] ?? 0;
    profit += figures[at + SUM] ?? 0;
    const gain = figures[at + MOST] ?? 0;
    if (gain > most) most = gain;
  }
  const cap = MAX_OF_ALL * gains;
  return {
    edge: weight > 0 ? skill / weight : 0,
    variance: weight > 0 ? expected / weight ** 2 : 1,
    clv: clvEntries > 0 ? clv / clvEntries : null,
    breadth: squares > 0 ? entries ** 2 / squares : 0,
    profit: most <= cap ? profit : cappedProfitOf(columns, drawn, cap),
    sharpe,
    calm: calmness,
  };
}

/** As `cappedProfit`; only events with a gain above the cap are read market by market. */
function cappedProfitOf({ figures, profits, firsts }: Columns, drawn: Int32Array, cap: number): number {
  let sum = 0;
  for (const event of drawn) {
    if ((figures[event * WIDTH + MOST] ?? 0) <= cap) sum += figures[event * WIDTH + SUM] ?? 0;
    else for (const profit of profits.subarray(firsts[event], firsts[event + 1])) sum += Math.min(profit, cap);
  }
  return sum;
}
