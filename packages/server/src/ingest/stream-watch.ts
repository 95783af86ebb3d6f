import type { StreamState } from "./control/save-batch.ts";
import type { Batch } from "../definition/connector.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";

/** In-memory state of a running stream, read by `status` and by coverage. */
export type StreamWatch = {
  readonly name: string;
  state: StreamState;
  /** Why it is off or what it waits for, for operators. */
  note: string | undefined;
  cursor: Readonly<Record<string, unknown>> | undefined;
  /** Unix ms. */
  reached: number | undefined;
  since: number | undefined;
  caughtUpAt: number | undefined;
  rowsStored: number;
  errors: number;
  lastError: string | undefined;
  lastErrorAt: number | undefined;
  openGaps: number;
  readonly failed: (error: unknown, now: number) => void;
  /** Counts rows just stored, for the rate. */
  readonly stored: (count: number, now: number) => void;
  readonly rowsPerSecond: (now: number) => number;
};

const RATE_SECONDS = 60;

export function createStreamWatch(name: string): StreamWatch {
  let seconds: { second: number; count: number }[] = [];
  let firstSecond: number | undefined;
  const trim = (second: number): void => {
    seconds = seconds.filter((each) => each.second > second - RATE_SECONDS);
  };
  const watch: StreamWatch = {
    name,
    state: "starting",
    note: undefined,
    cursor: undefined,
    reached: undefined,
    since: undefined,
    caughtUpAt: undefined,
    rowsStored: 0,
    errors: 0,
    lastError: undefined,
    lastErrorAt: undefined,
    openGaps: 0,
    failed: (error, now) => {
      watch.errors += 1;
      watch.lastError = error instanceof Error ? error.message : String(error);
      watch.lastErrorAt = now;
    },
    stored: (count, now) => {
      const second = Math.floor(now / 1000);
      firstSecond ??= second;
      watch.rowsStored += count;
      const last = seconds.at(-1);
      if (last?.second === second) last.count += count;
      else {
        trim(second);
        seconds.push({ second, count });
      }
    },
    rowsPerSecond: (now) => {
      const second = Math.floor(now / 1000);
      trim(second);
      const over = Math.min(RATE_SECONDS, second - (firstSecond ?? second) + 1);
      return seconds.reduce((sum, { count }) => sum + count, 0) / over;
    },
  };
  return watch;
}

/** Counts the results of a check; returns the sentence its status shows. */
export function reportCompared(metrics: IngestMetrics, stream: string, found: NonNullable<Batch["compared"]>): string {
  for (const [outcome, count] of Object.entries(found)) metrics.compared.inc({ stream, outcome }, count);
  const { agreed, missing, unlisted } = found;
  return `last compared: ${agreed} agree, ${missing} were missing, ${unlisted} only in the store`;
}
