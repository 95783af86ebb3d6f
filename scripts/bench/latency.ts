export type Measured = {
  /** Includes those of the warm-up. */
  readonly requested: number;
  readonly requests: number;
  /** Successful responses that arrived within the measured time, whenever they were requested. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
};

/** Runs `ask` in `clients` loops for `seconds`; returns the latencies in milliseconds. The first tenth is warm-up. */
export async function measure(
  clients: number,
  seconds: number,
  ask: (turn: number) => Promise<boolean>,
): Promise<Measured> {
  const warmUntil = performance.now() + seconds * 100;
  const until = warmUntil + seconds * 1000;
  const taken: number[] = [];
  let failed = 0;
  let answered = 0;
  let turn = 0;
  const loop = async (): Promise<void> => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      const started = now;
      turn += 1;
      const isGood = await ask(turn);
      const ended = performance.now();
      if (isGood && ended >= warmUntil && ended < until) answered += 1;
      if (started < warmUntil) continue;
      taken.push(ended - started);
      if (!isGood) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  return {
    requested: turn,
    requests: taken.length,
    perSecond: answered / seconds,
    p50: quantile(taken, 0.5),
    p99: quantile(taken, 0.99),
    failed,
  };
}

/** Quantile by nearest rank; NaN if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
