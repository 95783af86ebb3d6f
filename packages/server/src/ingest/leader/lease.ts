import { StoreError } from "../../store/statement.ts";

/** Of a lease's time: the rest is for a statement to reach the engine. */
export const SURE_SHARE = 0.85;

/**
 * That this process leads, as far as it can know by itself. It is sure until a moment by a clock that neither stands
 * still nor jumps; after that somebody else may lead.
 */
export type Lease = {
  /** Rises from leader to leader. */
  readonly token: number;
  /** Throws StoreError "absent" where the process is not sure: no statement that writes may leave now. */
  readonly check: () => void;
  /** Waits until the process is sure again; throws as `check` once the lease is over, or its work is to end meanwhile. */
  readonly sure: () => Promise<void>;
  /** Aborted when the work has to end: the lease was lost, or is to be given back after what is under way. */
  readonly signal: AbortSignal;
  /** Somebody else may lead from now on, whatever the clock says. */
  readonly isOver: () => boolean;
  /** The records confirmed it: sure until then, on the clock of `monotonicMs`. */
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
