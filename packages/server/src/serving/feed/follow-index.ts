import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { LeftSpan } from "../../definition/left-span.ts";
import { Noting } from "./noting.ts";

/**
 * Whether an index is compared with all that is stored: not at all, where nobody knows that it has what the store had
 * (the first time), or in any case.
 */
export type Comparing = "no" | "unless_known" | "yes";

/** An index as it is followed. */
export type Followed = {
  readonly table: string;
  /** Gives it what the store got since its mark, and where it is compared whatever else it lacks or has too much. */
  readonly apply: (left: readonly LeftSpan[], comparing: Comparing, signal: AbortSignal) => Promise<unknown>;
  readonly mark: () => number;
  /** Writes down that it has all that is stored, so that the next start need not compare it. */
  readonly note?: () => Promise<void>;
  /** Ends what is under way, which fails. */
  readonly close: () => Promise<void> | void;
};

export type Following = {
  /** The table has other rows now; `left`: seconds of which rows were taken away, or that nobody knows which. */
  readonly changed: (left?: readonly LeftSpan[] | "unknown") => void;
  /** Nobody knows what it lacks or since when: it is compared, and not known to have what is stored before. */
  readonly missed: () => void;
  /** Resolves once it has what was stored by now, or is closed. */
  readonly caughtUp: () => Promise<void>;
  /** It has all that is stored. */
  readonly isWhole: () => boolean;
  /** Milliseconds since the index was as the store is, 0 where nothing waits; undefined until it was compared first. */
  readonly behindMs: () => number | undefined;
  /** Up to when rows were stored that it has (microseconds since 1970); undefined where it has all. */
  readonly asOf: () => number | undefined;
  readonly close: () => Promise<void>;
};

const FIRST_RETRY_MS = 250;
const MOST_RETRY_MS = 30_000;

/**
 * Applies to an index what the store got, after every change, and notes now and then, and at the end, that it is whole.
 * A failure leaves the index behind, and is tried again; storing never waits for it.
 */
export function followIndex(index: Followed, log: Pick<Logger, "error">): Following {
  const pending = new Pending();
  /**
   * How often the table changed, how many of these the index has, how many it has to have before it is known to be as the
   * store was, and since when (ms) one is missing.
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
        log.error({ err: error, table: index.table, failures }, "the serving index is behind; it is tried again");
        await rest(failures, closed.signal);
      }
    }
  };

  const run = async (): Promise<void> => {
    do {
      await catchUp();
      if (!closed.signal.aborted) await noting?.inTurn(applied, () => void (running ??= run()));
    } while (isBehind());
    // At once: a change between the end of this run and a later moment would wait for the next one.
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

/** What an index is to be given next. */
class Pending {
  #left: LeftSpan[] = [];
  #comparing: Comparing = "unless_known";

  add(more: readonly LeftSpan[] | "unknown"): void {
    if (more === "unknown") this.#comparing = "yes";
    else this.#left.push(...more);
  }

  async give(index: Followed, signal: AbortSignal): Promise<void> {
    const [taken, asked] = [this.#left, this.#comparing];
    [this.#left, this.#comparing] = [[], "no"];
    try {
      await index.apply(taken, asked, signal);
    } catch (error) {
      this.#left.push(...taken);
      // What has come since may ask for more, never for less.
      if (this.#comparing === "no") this.#comparing = asked;
      throw error;
    }
  }
}

async function rest(failures: number, signal: AbortSignal): Promise<void> {
  const wait = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
  await sleep(wait, undefined, { signal }).catch(() => undefined);
}
