import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type LeftSpan, mergeSpans } from "../../definition/spans.ts";
import { Noting } from "./noting.ts";

/**
 * Whether an index is compared with all stored rows: not at all, only if its last known state cannot be verified (the
 * first time), or in any case.
 */
export type Comparing = "no" | "unless_known" | "yes";

/** An index to keep up to date. */
export type Followed = {
  readonly table: string;
  /** Applies what the store received since the index's mark and, if compared, corrects all other differences. */
  readonly apply: (left: readonly LeftSpan[], comparing: Comparing, signal: AbortSignal) => Promise<unknown>;
  readonly mark: () => number;
  /** Records that the index has all stored rows, so that the next start need not compare it. */
  readonly note?: () => Promise<void>;
  /** Aborts the work in progress, which fails. */
  readonly close: () => Promise<void> | void;
};

export type Following = {
  /** Called when the table's rows changed; `left`: seconds from which rows were removed, or "unknown". */
  readonly changed: (left?: readonly LeftSpan[] | "unknown") => void;
  /** Called when changes were missed: the index is compared, and does not count as up to date until then. */
  readonly missed: () => void;
  /** Resolves once the index has all rows stored by now, or is closed. */
  readonly caughtUp: () => Promise<void>;
  /** Whether the index has all stored rows. */
  readonly isWhole: () => boolean;
  /**
   * Milliseconds since the index last matched the store, 0 if nothing is pending; undefined until its first comparison.
   */
  readonly behindMs: () => number | undefined;
  /** Time up to which the index has stored rows (microseconds since 1970); undefined if it has all. */
  readonly asOf: () => number | undefined;
  readonly close: () => Promise<void>;
};

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 30_000;

/**
 * Applies store changes to an index after every change, and records occasionally, and at the end, that it is complete.
 * After a failure the index stays behind and is retried; storing never waits for it.
 */
export function followIndex(index: Followed, log: Pick<Logger, "error">): Following {
  const pending = new Pending();
  /**
   * Number of changes of the table, number of these that are applied, number to apply before the index is known to
   * match the store, and time (ms) since which one is pending.
   */
  let [changes, applied, compared, behindSince] = [0, 0, 1, 0];
  let running: Promise<void> | undefined;
  const closed = new AbortController();
  const isBehind = (): boolean => applied < changes && !closed.signal.aborted;
  const noting =
    index.note &&
    new Noting(index.note, (error) => {
      if (!closed.signal.aborted) log.error({ err: error, table: index.table }, "a serving index could not be noted");
    });

  const catchUp = async (): Promise<void> => {
    for (let failures = 0; isBehind();) {
      const [until, now] = [changes, performance.now()];
      try {
        await pending.give(index, closed.signal);
        [applied, behindSince] = [until, now];
        failures = 0;
      } catch (error) {
        if (closed.signal.aborted) return;
        failures += 1;
        log.error({ err: error, table: index.table, failures }, "the serving index is behind; retrying");
        await rest(failures, closed.signal);
      }
    }
  };

  const run = async (): Promise<void> => {
    do {
      await catchUp();
      if (!closed.signal.aborted) await noting?.withLock(applied, () => void (running ??= run()));
    } while (isBehind());
    // Cleared immediately: otherwise a change arriving before a later reset would not start a run of its own.
    running = undefined;
  };

  const changed: Following["changed"] = (more = []) => {
    pending.add(more);
    if (applied === changes) behindSince = performance.now();
    changes += 1;
    running ??= run();
  };
  return {
    changed,
    missed: () => {
      changed("unknown");
      compared = changes;
    },
    caughtUp: async () => running,
    isWhole: () => applied === changes,
    asOf: () => (applied === changes ? undefined : index.mark()),
    behindMs: () => {
      if (applied < compared) return undefined;
      return applied === changes ? 0 : performance.now() - behindSince;
    },
    close: async () => {
      if (running === undefined) await noting?.end(applied);
      closed.abort(new Error("the service stops"));
      await index.close();
      await running;
    },
  };
}

/** The next changes to apply to an index. */
class Pending {
  #left: readonly LeftSpan[] = [];
  #comparing: Comparing = "unless_known";

  add(more: readonly LeftSpan[] | "unknown"): void {
    if (more === "unknown") this.#comparing = "yes";
    else this.#left = [...this.#left, ...more];
  }

  async give(index: Followed, signal: AbortSignal): Promise<void> {
    const [taken, requested] = [this.#left, this.#comparing];
    [this.#left, this.#comparing] = [[], "no"];
    try {
      await index.apply(taken, requested, signal);
    } catch (error) {
      this.#left = mergeSpans([...taken, ...this.#left]);
      // Changes that came meanwhile may require a stricter comparison, never a weaker one.
      if (this.#comparing === "no") this.#comparing = requested;
      throw error;
    }
  }
}

async function rest(failures: number, signal: AbortSignal): Promise<void> {
  const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
  await sleep(wait, undefined, { signal }).catch(() => undefined);
}
