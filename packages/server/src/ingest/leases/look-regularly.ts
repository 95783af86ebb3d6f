import type { Clock } from "../clock.ts";
import type { Deriver } from "../derive.ts";

export type LookOptions = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Tables that other processes may be writing now. */
  readonly foreign: () => ReadonlySet<string>;
  readonly everyMs?: number;
};

const EVERY_MS = 4000;

/**
 * Until aborted, has what other processes stored looked up in the store. A deriver that hears of every row itself, since
 * all streams are its process's own, is left alone.
 */
export async function lookRegularly(deriver: Pick<Deriver, "lookUp">, options: LookOptions): Promise<void> {
  const { clock, signal, foreign, everyMs = EVERY_MS } = options;
  let from = clock.now();
  let before: ReadonlySet<string> = new Set();
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal).catch(() => undefined);
    const [now, tables] = [clock.now(), foreign()];
    const left = new Set([...before].filter((table) => !tables.has(table)));
    // Who reads both kinds goes on looking.
    deriver.lookUp(left, from, undefined);
    deriver.lookUp(tables, from, now);
    [from, before] = [now, tables];
  }
}
