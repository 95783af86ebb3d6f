import type { Host, PullConnector, PullOptions } from "../../definition/connector.ts";
import { sampleSlice, type Sample, type RouteUse } from "./sample-slice.ts";

type Fitted = { readonly uses: readonly RouteUse[]; readonly rows: number; readonly isLowerBound: boolean };

/**
 * Extrapolates to the entire range from samples at several places: per place, the two longest slices give a fixed cost
 * and a cost per second; the fixed cost counts once, the other over the entire range.
 */
function fitSamples(places: readonly (readonly Sample[])[], seconds: number): Fitted {
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
  // A walk that was cut off may have covered less than the shorter one before it.
  if (short === undefined || long.seconds <= short.seconds) return { once: 0, aSecond: long.value / long.seconds };
  const aSecond = Math.max(0, (long.value - short.value) / (long.seconds - short.seconds));
  return { once: Math.max(0, long.value - aSecond * long.seconds), aSecond };
}

/** The estimated effort of a backfill, from `samples` slices of the range that were walked and discarded. */
export type BackfillPlan = {
  readonly stream: string;
  readonly from: string;
  readonly to: string;
  readonly samples: number;
  readonly rows: number;
  /** Per host and route: calls, and the seconds they take at our share of the documented limit. */
  readonly routes: readonly {
    readonly host: string;
    readonly route: string;
    readonly calls: number;
    readonly seconds: number;
  }[];
  /** Seconds at the allowed rates, if responses were instant. */
  readonly at_limits_seconds: number;
  /** Seconds without limits: a walk makes one call after the other, at the latency of the samples. */
  readonly at_latency_seconds: number;
  /** The larger of the two. */
  readonly seconds: number;
  /** `seconds` is a lower bound: the sampled stream was cut off and does not report its progress. */
  readonly is_lower_bound: boolean;
  readonly notes: readonly string[];
};

const PLACES = 3;
const FIRST_SECONDS = 600;
const GROWTH = 6;
const ENOUGH_CALLS = 8;
const MAX_CALLS = 60;

/**
 * Estimates how long a backfill takes at the allowed rates, from slices of growing length at a few places of the range,
 * each walked by the stream's own code within its budget. Nothing is stored.
 */
export async function planBackfill(options: {
  readonly connector: PullConnector;
  /** ISO, half-open. */
  readonly range: { readonly from: string; readonly to: string };
  readonly pull: Omit<PullOptions, "cursor" | "range">;
  /** Mean seconds per answered call so far, by host name. */
  readonly latencyOf: (host: string) => Promise<number>;
  readonly onSample?: (done: number, of: number) => void;
}): Promise<BackfillPlan> {
  const { connector, range, pull, latencyOf } = options;
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const part = (to - from) / PLACES;
  const places: Sample[][] = [];
  for (let place = 0; place < PLACES; place += 1) {
    places.push(await samplePlace(connector, pull, { from: from + place * part, to: from + (place + 1) * part }));
    options.onSample?.(place + 1, PLACES);
  }
  const fitted = fitSamples(places, (to - from) / 1000);
  const hosts = new Map([connector.host, ...(connector.also ?? [])].map((host) => [host.name, host]));
  // The range is walked at least once more, to check that nothing was missed.
  const walks = connector.walksAgain ? 2 : 1;
  const uses = fitted.uses.map((use) => ({ ...use, calls: use.calls * walks, cost: use.cost * walks }));
  const routes = uses.map(({ host, route, calls, cost }) => ({
    host,
    route,
    calls: Math.ceil(calls),
    seconds: secondsAt(hosts.get(host), route, cost),
  }));
  const overall = [...hosts.values()].map((host) => {
    const cost = uses.filter((use) => use.host === host.name).reduce((sum, use) => sum + use.cost, 0);
    return secondsAt(host, "all", cost);
  });
  const atLimits = Math.max(0, ...overall, ...routes.map(({ seconds }) => seconds));
  let atLatency = 0;
  for (const { host, calls } of routes) atLatency += calls * (await latencyOf(host));
  return {
    stream: connector.name,
    ...range,
    samples: places.flat().length,
    rows: Math.round(fitted.rows),
    routes,
    at_limits_seconds: atLimits,
    at_latency_seconds: atLatency,
    seconds: Math.max(atLimits, atLatency),
    is_lower_bound: fitted.isLowerBound,
    notes: [...new Set(places.flat().flatMap(({ gaps }) => gaps))],
  };
}

/** Samples slices from the middle of a part of the range, longer ones until they suffice or fill the part. */
async function samplePlace(
  connector: PullConnector,
  pull: Omit<PullOptions, "cursor" | "range">,
  part: { readonly from: number; readonly to: number },
): Promise<Sample[]> {
  const longest = (part.to - part.from) / 1000;
  const samples: Sample[] = [];
  for (let seconds = Math.min(FIRST_SECONDS, longest); ; seconds = Math.min(longest, seconds * GROWTH)) {
    const start = Math.round((part.from + part.to - seconds * 1000) / 2);
    const slice = { from: start, to: start + Math.max(1, Math.round(seconds * 1000)) };
    const sample = await sampleSlice(connector, pull, slice, MAX_CALLS);
    samples.push(sample);
    const calls = sample.uses.reduce((sum, use) => sum + use.calls, 0);
    const isEnough = !sample.isWhole || (calls >= ENOUGH_CALLS && samples.length > 1);
    if (isEnough || seconds >= longest || pull.signal.aborted) return samples;
  }
}

function secondsAt(host: Host | undefined, route: string, cost: number): number {
  const limit = host?.limits[route];
  return host === undefined || limit === undefined ? 0 : (cost * limit.perSeconds) / (limit.tokens * host.share);
}
