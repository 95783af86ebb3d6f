import type { Day } from "./calm.ts";
import type { ScoreEvent } from "./score-event.ts";
import type { WalletSample } from "./wallet-sample.ts";

/** Figures of an event. */
const WIDTH = 8;

/**
 * Samples in columns: of a day's hundred thousand wallets all are kept until their pools are known, and as objects they
 * would take gigabytes.
 */
export type PackedSamples = Iterable<WalletSample>;

export function packSamples(samples: readonly WalletSample[]): PackedSamples {
  const events = samples.flatMap((sample) => sample.events);
  const days = samples.flatMap((sample) => sample.days);
  const figures = new Float64Array(events.length * WIDTH);
  let at = 0;
  for (const event of events) {
    figures[at] = event.entries;
    figures[at + 1] = event.edgeSum;
    figures[at + 2] = event.varianceSum;
    figures[at + 3] = event.skillSum;
    figures[at + 4] = event.weight;
    figures[at + 5] = event.spread;
    figures[at + 6] = event.clvEntries;
    figures[at + 7] = event.clvSum;
    at += WIDTH;
  }
  const profits = new Float64Array(events.flatMap((event) => event.profits));
  const profitEnds = endsOf(events.map((event) => event.profits.length));
  const categories = namesOf(events.map((event) => event.category));
  const daily = new Float64Array(days.flatMap(({ profit, capital }) => [profit, capital]));
  const eventEnds = endsOf(samples.map((sample) => sample.events.length));
  const dayEnds = endsOf(samples.map((sample) => sample.days.length));
  const heads = samples.map(({ wallet, penalty }) => ({ wallet, penalty }));
  const eventAt = (index: number): ScoreEvent => {
    const of = (place: number): number => figures[index * WIDTH + place] ?? 0;
    return {
      category: categories(index),
      entries: of(0),
      edgeSum: of(1),
      varianceSum: of(2),
      skillSum: of(3),
      weight: of(4),
      spread: of(5),
      clvEntries: of(6),
      clvSum: of(7),
      profits: [...profits.subarray(profitEnds[index - 1] ?? 0, profitEnds[index])],
    };
  };
  const dayAt = (index: number): Day => ({ profit: daily[2 * index] ?? 0, capital: daily[2 * index + 1] ?? 0 });
  return {
    *[Symbol.iterator]() {
      for (const [index, head] of heads.entries())
        yield { ...head, events: between(eventEnds, index).map(eventAt), days: between(dayEnds, index).map(dayAt) };
    },
  };
}

/** Where each of some parts of so many ends. */
function endsOf(lengths: readonly number[]): Int32Array {
  const ends = Int32Array.from(lengths);
  for (let index = 1; index < ends.length; index += 1) ends[index] = (ends[index] ?? 0) + (ends[index - 1] ?? 0);
  return ends;
}

function between(ends: Int32Array, index: number): number[] {
  const from = ends[index - 1] ?? 0;
  return Array.from({ length: (ends[index] ?? from) - from }, (_, place) => from + place);
}

/** Few names that come again and again, each kept once. */
function namesOf(names: readonly string[]): (index: number) => string {
  const numbers = new Map<string, number>();
  const numbered = Int32Array.from(names, (name) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  const known = [...numbers.keys()];
  return (index) => known[numbered[index] ?? -1] ?? "";
}
