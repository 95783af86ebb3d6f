import { StoreError } from "../../store/store-error.ts";
import type { HeldLease } from "../../records/leased-sessions.ts";

/** Of a lease's time: the rest is for a statement to reach the engine. */
export const SURE_SHARE = 0.85;
/** Of a lease's time. */
export const RENEW_SHARE = 0.3;

/**
 * What a process holds of a piece of work, as far as it can know by itself. It is sure of it until a moment by a clock
 * that never stands still; after that somebody else may have it.
 */
export type Lease = {
  readonly held: readonly HeldLease[];
  /** Unix ms. */
  readonly since: number;
  /** Throws StoreError "absent" where the process is not sure: no statement that writes may leave now. */
  readonly check: () => void;
  /** Waits until the process is sure again; throws as `check` once it is lost, or has to end while it is not sure. */
  readonly sure: () => Promise<void>;
  /** Aborted when the work has to end here: it was lost, or is to be given back after what is under way. */
  readonly signal: AbortSignal;
  readonly isLost: () => boolean;
  /** Whether a guest was there at the last renewal: see becomeGuest. */
  readonly hasGuests: () => boolean;
  /** The records confirmed it: sure until then, on the clock of `monotonicMs`. */
  readonly renewed: (untilMs: number, hasGuests?: boolean) => void;
  readonly lose: () => void;
  readonly end: (why: string) => void;
};

export type LeaseClock = { readonly monotonicMs: () => number; readonly now: () => number };

export function createLease(
  held: readonly HeldLease[],
  untilMs: number,
  clock: LeaseClock,
  hasGuestsNow = false,
): Lease {
  const ended = new AbortController();
  const names = held.map(({ name }) => name).join(", ") || "rows";
  let until = untilMs;
  let hasGuests = hasGuestsNow;
  let isLost = false;
  let waiting: (() => void)[] = [];
  const isSure = (): boolean => !isLost && clock.monotonicMs() < until;
  const isOver = (): boolean => isLost || ended.signal.aborted;
  const check = (): void => {
    if (isSure()) return;
    const why = isLost ? "another process has taken it over" : "it could not be renewed in time";
    throw new StoreError("absent", 0, `${names} may not be written by this process now: ${why}`);
  };
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  return {
    held,
    since: clock.now(),
    check,
    sure: async () => {
      while (!isSure() && !isOver()) await new Promise<void>((resolve) => waiting.push(resolve));
      check();
    },
    signal: ended.signal,
    isLost: () => isLost,
    hasGuests: () => hasGuests,
    renewed: (next, isWithGuests = false) => {
      until = Math.max(until, next);
      hasGuests = isWithGuests;
      wake();
    },
    lose: () => {
      isLost = true;
      ended.abort(new Error(`${names}: another process has taken it over`));
      wake();
    },
    end: (why) => {
      ended.abort(new Error(`${names}: ${why}`));
      wake();
    },
  };
}
