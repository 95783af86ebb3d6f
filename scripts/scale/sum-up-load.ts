import type { Stretch, Tenth } from "./fault-result.ts";
import type { Sample } from "./load.ts";
import { percentile } from "./percentile.ts";

const TENTH_MS = 100;

export function sumUpLoad(samples: readonly Sample[], seconds: number): Stretch {
  const ms = samples.map((sample) => sample.ms);
  return {
    asked: samples.length,
    perSecond: samples.length / seconds,
    p50Ms: percentile(ms, 0.5),
    p99Ms: percentile(ms, 0.99),
    firstFailed: countBy(samples.map(({ first }) => first)),
    failed: countBy(samples.map(({ failed }) => failed)),
    saidIncomplete: samples.filter(({ isSaidIncomplete }) => isSaidIncomplete).length,
  };
}

/** Of the time since `from` (performance.now()), by the moment of asking. */
export function tenthsOf(samples: readonly Sample[], from: number): Tenth[] {
  const tenths = new Map<number, { at: number; asked: number; failed: number; mostMs: number }>();
  for (const { at, ms, failed } of samples) {
    const place = Math.floor((at - from) / TENTH_MS);
    const tenth = tenths.get(place) ?? { at: (place * TENTH_MS) / 1000, asked: 0, failed: 0, mostMs: 0 };
    tenths.set(place, tenth);
    tenth.asked += 1;
    if (failed !== undefined) tenth.failed += 1;
    tenth.mostMs = Math.max(tenth.mostMs, Math.round(ms));
  }
  return [...tenths.values()].toSorted((a, b) => a.at - b.at);
}

function countBy(reasons: readonly (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
