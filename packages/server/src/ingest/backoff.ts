export type BackoffPace = { readonly firstMs: number; readonly maxMs: number };

/** Full jitter: anywhere between nothing and the exponential ceiling of this attempt (counted from 0). */
export function backoffMs(attempt: number, pace: BackoffPace, random: () => number = Math.random): number {
  return Math.ceil(random() * Math.min(pace.maxMs, pace.firstMs * 2 ** Math.min(attempt, 20)));
}
