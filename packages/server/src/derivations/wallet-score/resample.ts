import { calm, type Day } from "./calm.ts";
import { MOST_OF_ALL } from "./capped-profit.ts";
import { returnsOf } from "./measures.ts";
import type { Judgeable } from "./pool.ts";
import { probabilisticSharpe } from "./probabilistic-sharpe.ts";
import type { ScoreEvent } from "./score-event.ts";

const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** Events in columns: a sample reads each of them hundreds of times. `firsts` tells where an event's profits begin. */
function columnsOf(events: readonly ScoreEvent[]) {
  const of = (value: (event: ScoreEvent) => number): Float64Array => Float64Array.from(events, value);
  const firsts = new Int32Array(events.length + 1);
  for (const [index, { profits }] of events.entries()) firsts[index + 1] = (firsts[index] ?? 0) + profits.length;
  return {
    entries: of(({ entries }) => entries),
    skill: of(({ skillSum }) => skillSum),
    weight: of(({ weight }) => weight),
    expected: of(({ weight, spread }) => weight * spread),
    clv: of(({ clvSum }) => clvSum),
    clvEntries: of(({ clvEntries }) => clvEntries),
    gains: of(({ profits }) => total(profits.filter((profit) => profit > 0))),
    sums: of(({ profits }) => total(profits)),
    mosts: of(({ profits }) => Math.max(0, ...profits)),
    profits: Float64Array.from(events.flatMap(({ profits }) => profits)),
    firsts,
  };
}

/**
 * Draws as many events, and days, with replacement, again and again: each call gives what `measures` would say of one
 * such draw, as far as a pool judges by it.
 */
export function createResampler(
  events: readonly ScoreEvent[],
  days: readonly Day[],
  random: (bound: number) => number,
): () => Judgeable {
  const columns = columnsOf(events);
  const drawn = new Int32Array(events.length);
  const some = [...days];
  return () => {
    for (let place = 0; place < drawn.length; place += 1) drawn[place] = random(drawn.length);
    for (let place = 0; place < some.length; place += 1) some[place] = days[random(days.length)] as Day;
    return { ...sumUp(columns, drawn), sharpe: probabilisticSharpe(returnsOf(some)), calm: calm(some) };
  };
}

type Columns = ReturnType<typeof columnsOf>;

function sumUp(
  columns: Columns,
  drawn: Int32Array,
): Pick<Judgeable, "edge" | "variance" | "clv" | "breadth" | "profit"> {
  let [entries, squares, skill, weight, expected, clv, clvEntries] = [0, 0, 0, 0, 0, 0, 0];
  let [gains, profit, most] = [0, 0, 0];
  for (const event of drawn) {
    const count = columns.entries[event] ?? 0;
    entries += count;
    squares += count * count;
    skill += columns.skill[event] ?? 0;
    weight += columns.weight[event] ?? 0;
    expected += columns.expected[event] ?? 0;
    clv += columns.clv[event] ?? 0;
    clvEntries += columns.clvEntries[event] ?? 0;
    gains += columns.gains[event] ?? 0;
    profit += columns.sums[event] ?? 0;
    most = Math.max(most, columns.mosts[event] ?? 0);
  }
  const cap = MOST_OF_ALL * gains;
  return {
    edge: weight > 0 ? skill / weight : 0,
    variance: weight > 0 ? expected / weight ** 2 : 1,
    clv: clvEntries > 0 ? clv / clvEntries : null,
    breadth: squares > 0 ? entries ** 2 / squares : 0,
    profit: most <= cap ? profit : cappedProfitOf(columns, drawn, cap),
  };
}

/** As `cappedProfit`; only events with a gain above the cap are looked at market by market. */
function cappedProfitOf({ profits, firsts, sums, mosts }: Columns, drawn: Int32Array, cap: number): number {
  let sum = 0;
  for (const event of drawn) {
    if ((mosts[event] ?? 0) <= cap) sum += sums[event] ?? 0;
    else for (const profit of profits.subarray(firsts[event], firsts[event + 1])) sum += Math.min(profit, cap);
  }
  return sum;
}
