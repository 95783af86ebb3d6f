import type { RouteUse, Sample } from "./sample-slice.ts";

type Fitted = { readonly uses: readonly RouteUse[]; readonly rows: number; readonly isLowerBound: boolean };

/**
 * What the whole range takes, from slices at several places of it: at each place a part that any walk costs and a part
 * that grows with time, from the two longest slices there; the first is paid once, the second over the whole range.
 */
export function fitSamples(places: readonly (readonly Sample[])[], seconds: number): Fitted {
  const routes = new Map(
    places.flat().flatMap(({ uses }) => uses.map(({ host, route }) => [`${host} ${route}`, { host, route }] as const)),
  );
  const whole = (valueOf: (sample: Sample) => number): number => {
    const lines = places.map((samples) => lineThrough(samples, valueOf));
    return mean(lines.map(({ once }) => once)) + mean(lines.map(({ aSecond }) => aSecond)) * seconds;
  };
  return {
    uses: [...routes.values()].map(({ host, route }) => {
      const useOf = (sample: Sample) => sample.uses.find((use) => use.host === host && use.route === route);
      return {
        host,
        route,
        calls: whole((sample) => useOf(sample)?.calls ?? 0),
        cost: whole((sample) => useOf(sample)?.cost ?? 0),
      };
    }),
    rows: whole(({ rows }) => rows),
    isLowerBound: places.flat().some(({ share }) => share === undefined || share === 0),
  };
}

const mean = (of: readonly number[]): number => of.reduce((sum, each) => sum + each, 0) / Math.max(1, of.length);

function lineThrough(
  samples: readonly Sample[],
  valueOf: (sample: Sample) => number,
): { readonly once: number; readonly aSecond: number } {
  const points = samples.slice(-2).map((sample) => ({
    seconds: sample.seconds * (sample.share || 1),
    value: valueOf(sample),
  }));
  const [short, long] = points.length === 2 ? points : [undefined, points[0]];
  if (long === undefined) return { once: 0, aSecond: 0 };
  // A walk that was cut off may have come less far than the shorter one before it.
  if (short === undefined || long.seconds <= short.seconds) return { once: 0, aSecond: long.value / long.seconds };
  const aSecond = Math.max(0, (long.value - short.value) / (long.seconds - short.seconds));
  return { once: Math.max(0, long.value - aSecond * long.seconds), aSecond };
}
