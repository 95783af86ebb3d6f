import type { Clock } from "./clock.ts";
import { REST_SHARE } from "./rest-share.ts";

type Pace = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Between the end of one turn and the next, at least: after a long turn it is rested for longer. */
  readonly everyMs: number;
  /** Before the first turn, where that is less. */
  readonly firstMs: number;
};

/** Works by turns until aborted. A turn is given when it began, and may say how soon the next is wanted. */
export async function every(
  { clock, signal, everyMs, firstMs }: Pace,
  work: (began: number) => Promise<number | void>,
): Promise<void> {
  let wait = Math.min(firstMs, everyMs);
  while (!signal.aborted) {
    if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
    if (signal.aborted) return;
    const began = clock.now();
    const wanted = (await work(began)) ?? everyMs;
    wait = Math.max(wanted, REST_SHARE * (clock.now() - began));
  }
}
