import { addMicros } from "../../definition/micros.ts";
import type { MadeValue } from "../../definition/served-buckets.ts";
import type { Amount } from "../wallet/folded-wallet.ts";
import { figure, ratio, realOf, sizeOf, QUOTIENT_PLACES } from "./amounts.ts";
import { meanOf, sampleDeviation, sumOf } from "./statistics.ts";

const MILLION = 1_000_000n;
/** Timing is not meaningful with fewer tokens, nor is its z-score. */
const MIN_TOKENS = { score: 5, z: 10 };
/** Millionths of a dollar per share by which a close was above the price paid. */
const LARGE_GAIN = 200_000;
/** Standard errors of a 95 % margin. */
const MARGIN = 1.96;

/** A wallet's purchases of a token of a market resolved in the window. */
export type Entry = {
  readonly eventKey: string;
  /** Per share. */
  readonly payout: Amount;
  readonly shares: Amount;
  readonly bought: Amount;
  readonly clvEntries: number;
  /** Sum of the closing price less the price, over these entries. */
  readonly clvSum: Amount;
};

export type Timing = {
  readonly score: number | null;
  readonly hitRate: number | null;
  readonly z: number | null;
  readonly fields: Readonly<Record<string, MadeValue>>;
};

/** A wallet's skill at predicting results, event by event. */
export function edgeFields(entries: readonly Entry[]): Readonly<Record<string, MadeValue>> {
  const edges = edgesOf(entries);
  const edge = edges.length === 0 ? null : meanOf(edges);
  const margin = edges.length < 2 ? null : (MARGIN * sampleDeviation(edges)) / Math.sqrt(edges.length);
  return {
    edge: figure(edge),
    edge_low: figure(edge === null || margin === null ? null : edge - margin),
    edge_high: figure(edge === null || margin === null ? null : edge + margin),
    brier_advantage: figure(edges.length < 2 ? null : brierAdvantage(edges)),
  };
}

/** Mean of payout less price by event, weighted by shares, truncated at twelve places as the engine divides. */
function edgesOf(entries: readonly Entry[]): number[] {
  const events = new Map<string, { gain: bigint; shares: bigint }>();
  for (const { eventKey, payout, shares, bought } of entries) {
    let event = events.get(eventKey);
    if (event === undefined) events.set(eventKey, (event = { gain: 0n, shares: 0n }));
    event.gain += BigInt(shares) * BigInt(payout) - BigInt(bought) * MILLION;
    event.shares += BigInt(shares);
  }
  return [...events.values()].map(({ gain, shares }) => Number((gain * MILLION) / shares) / 10 ** QUOTIENT_PLACES);
}

/** Reduction of the squared error of prices if each is moved by the mean edge of the other events. */
function brierAdvantage(edges: readonly number[]): number {
  const all = sumOf(edges);
  return meanOf(
    edges.map((one) => {
      const other = (all - one) / (edges.length - 1);
      return 2 * one * other - other * other;
    }),
  );
}

/** Number of tokens whose close was above the prices paid, and by how much. */
export function timingOf(entries: readonly Entry[]): Timing {
  let [timed, tokens, hits, largeGains] = [0, 0, 0, 0];
  let [gain, won, swung]: [Amount, Amount, Amount] = [0, 0, 0];
  for (const { clvEntries, clvSum } of entries) {
    timed += clvEntries;
    tokens += clvEntries > 0 ? 1 : 0;
    hits += clvSum > 0 ? 1 : 0;
    largeGains += clvSum >= LARGE_GAIN * clvEntries ? clvEntries : 0;
    gain = addMicros(gain, clvSum);
    won = addMicros(won, clvSum > 0 ? clvSum : 0);
    swung = addMicros(swung, sizeOf(clvSum));
  }
  // Of whole millionths, so that a share of exactly the flag's limit is not above it.
  const score = tokens < MIN_TOKENS.score ? null : ratio(Number(won), Number(swung));
  const hitRate = ratio(hits, tokens);
  const z = tokens < MIN_TOKENS.z ? null : (hits - tokens / 2) / Math.sqrt(tokens / 4);
  return {
    score,
    hitRate,
    z,
    fields: {
      clv: figure(ratio(realOf(gain), timed)),
      perfect_timing_score: figure(score),
      timing_hit_rate: figure(hitRate),
      timing_z_score: figure(z),
      suspicious_timing_trades: largeGains,
      total_timed_trades: timed,
    },
  };
}
