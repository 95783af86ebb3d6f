export type Measured = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
};

/** Runs `ask` in `clients` loops for `seconds` and gives the latencies in milliseconds. The first tenth warms up. */
export async function measure(
  clients: number,
  seconds: number,
  ask: (turn: number) => Promise<boolean>,
): Promise<Measured> {
  const warmUntil = performance.now() + seconds * 100;
  const until = warmUntil + seconds * 1000;
  const taken: number[] = [];
  let failed = 0;
  let turn = 0;
  const loop = async (): Promise<void> => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      const started = now;
      turn += 1;
      const isGood = await ask(turn);
      if (started < warmUntil) continue;
      taken.push(performance.now() - started);
      if (!isGood) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  const sorted = taken.sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { requests: sorted.length, perSecond: sorted.length / seconds, p50: at(0.5), p99: at(0.99), failed };
}
