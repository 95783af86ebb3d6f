import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { LeftSpan } from "../../definition/left-span.ts";
import type { ServingWriter } from "../writer.ts";
import { addStored, readAnew } from "./apply-stored.ts";
import type { Feed } from "./build-index.ts";
import { readMark } from "./mark.ts";
import { differingDays } from "./differing-days.ts";

export type Following = {
  /** The table has other rows now; `left`: seconds of which rows were taken away, or that nobody knows which. */
  readonly changed: (left?: readonly LeftSpan[] | "unknown") => void;
  /** Milliseconds since the index was as the store is; 0 where nothing waits. */
  readonly behindMs: () => number;
  /** Up to when rows were stored that it has (microseconds since 1970); undefined where it has all. */
  readonly asOf: () => number | undefined;
  readonly close: () => Promise<void>;
};

/** Rows of an earlier process may have been stamped so long before they could be read. */
const MARGIN_MICROS = 10_000_000;
const FIRST_RETRY_MS = 250;
const MOST_RETRY_MS = 30_000;

/**
 * Applies to an index what the store got since its mark: rows by when they were stored, and the seconds of which rows
 * were taken away read anew, each in one transaction with the mark. A failure leaves the index behind, and is tried
 * again; storing never waits for it.
 */
export function followIndex(
  writer: ServingWriter,
  { log, ...feed }: Feed & { readonly log: Pick<Logger, "error"> },
): Following {
  let left: LeftSpan[] = [];
  let mustCompare = true;
  /** How often the table changed, how many of these the index has, and since when (ms) one is missing. */
  let [changes, applied] = [0, 0];
  let behindSince = 0;
  let running: Promise<void> | undefined;
  const closed = new AbortController();

  const apply = async (): Promise<void> => {
    const isCompared = mustCompare;
    const taken = left;
    left = [];
    mustCompare = false;
    try {
      for (const span of taken) await readAnew(writer, feed, span);
      await addStored(writer, feed, isCompared ? MARGIN_MICROS : 0);
      if (isCompared) for (const span of await differingDays(writer, feed)) await readAnew(writer, feed, span);
    } catch (error) {
      left.push(...taken);
      mustCompare ||= isCompared;
      throw error;
    }
  };

  const run = async (): Promise<void> => {
    for (let failures = 0; applied < changes && !closed.signal.aborted;) {
      const [until, now] = [changes, performance.now()];
      try {
        await apply();
        applied = until;
        behindSince = now;
        failures = 0;
      } catch (error) {
        failures += 1;
        log.error({ err: error, table: feed.table.name, failures }, "the serving index is behind; it is tried again");
        const wait = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
        await sleep(wait, undefined, { signal: closed.signal }).catch(() => undefined);
      }
    }
  };

  const changed: Following["changed"] = (more = []) => {
    if (more === "unknown") mustCompare = true;
    else left.push(...more);
    if (applied === changes) behindSince = performance.now();
    changes += 1;
    running ??= run().finally(() => (running = undefined));
  };
  return {
    changed,
    asOf: () => (applied === changes ? undefined : readMark(writer.mark())),
    behindMs: () => (applied === changes ? 0 : performance.now() - behindSince),
    close: async () => {
      closed.abort();
      await running;
      writer.close();
    },
  };
}
