import { StoreError } from "../../store/statement.ts";

/** Share of a lease's duration in which writing is safe: the rest is for a statement to reach the engine. */
export const SURE_SHARE = 0.85;

/**
 * This process's own knowledge that it leads. It is sure until a time on a clock that never pauses or jumps; after that
 * another process may lead.
 */
export type Lease = {
  /** Increases with each leader. */
  readonly token: number;
  /** Throws StoreError "absent" if the process is not sure: no writing statement may be sent now. */
  readonly check: () => void;
  /** Waits until the process is sure again; throws as `check` once the lease is over, or its work has to end. */
  readonly sure: () => Promise<void>;
  /** Aborted when the work has to end: the lease was lost, or is to be released after the work in progress. */
  readonly signal: AbortSignal;
  /** Whether another process may lead from now on, whatever the clock says. */
  readonly isOver: () => boolean;
  /** The records confirmed the lease: sure until this time on the clock of `monotonicMs`. */
  readonly renewed: (untilMs: number) => void;
  readonly lose: (why: string) => void;
  readonly end: (why: string) => void;
};

export function createLease(token: number, untilMs: number, monotonicMs: () => number): Lease {
  const ended = new AbortController();
  let until = untilMs;
  let over: string | undefined;
  let waiting: (() => void)[] = [];
  const isSure = (): boolean => over === undefined && monotonicMs() < until;
  const check = (): void => {
    if (isSure()) return;
    const why = over ?? "the leader's lease could not be renewed in time";
    throw new StoreError("absent", 0, `this process may not write now: ${why}`);
  };
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  const end = (why: string): void => {
    ended.abort(new Error(why));
    wake();
  };
  return {
    token,
    check,
    sure: async () => {
      while (!isSure() && !ended.signal.aborted) await new Promise<void>((resolve) => waiting.push(resolve));
      check();
    },
    signal: ended.signal,
    isOver: () => over !== undefined,
    renewed: (next) => {
      until = Math.max(until, next);
      wake();
    },
    lose: (why) => {
      over ??= why;
      end(why);
    },
    end,
  };
}
