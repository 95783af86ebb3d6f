import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Batch, Cursor, Feed, PullConnector, PullOptions } from "../definition/connector.ts";
import type { StoredFills, StoredPosts } from "../definition/known.ts";
import type { RecordsSchema } from "../records/schema.ts";
import { backoffMs, type Clock } from "./clock.ts";
import { saveBatch, findStream, saveError, saveState } from "./control/save-batch.ts";
import { lateMs } from "./coverage/judge-stream.ts";
import { UpstreamChanged } from "./feed/upstream-errors.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { type StreamWatch, reportCompared } from "./stream-watch.ts";
import { createUndo, type Undo } from "./undo.ts";
import type { Waking } from "./waking.ts";
import type { Write } from "./write.ts";

export type PullRun = {
  readonly connector: PullConnector;
  readonly feed: Feed;
  readonly also: Readonly<Record<string, Feed>>;
  readonly db: Kysely<RecordsSchema>;
  readonly write: Write;
  readonly known: PullOptions["known"];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: IngestMetrics;
  readonly watch: StreamWatch;
  readonly signal: AbortSignal;
  /** Lookups of checks; other streams do not use them. */
  readonly storedFills?: StoredFills;
  readonly storedPosts?: StoredPosts;
  /** What the connector's host may still bill; absent without a cap. */
  readonly spendable?: (() => Promise<number>) | undefined;
  /** Current venue time (Unix ms); the machine's when absent. */
  readonly venueNow?: () => number;
  /** How it pauses if another stream may wake it. */
  readonly waking?: Waking | undefined;
};

const PACE = { firstMs: 1000, maxMs: 60_000 };
/** Shares of a period: between the starts of two turns, and the minimum pause after one. */
const BETWEEN_CYCLES = 0.75;
const MIN_REST = 0.25;
/** An upstream that changed does not change back within seconds. */
const CHANGED_PACE = { firstMs: 10_000, maxMs: 120_000 };

/**
 * Runs a live stream until aborted, from its saved cursor, turn after turn. Failures are logged, counted and followed
 * by a pause; it resumes from the last saved cursor.
 */
export async function runPull(run: PullRun): Promise<void> {
  const { connector, clock, signal, watch, waking } = run;
  const rest = waking?.rest ?? clock.sleep;
  let failures = 0;
  const undo = createUndo({ stream: connector.name }, run);
  // Only this stream moves its cursor while it runs: it is read at the start, and after failures.
  let place: Place | undefined;
  let failedAt: number | undefined;
  while (!signal.aborted) {
    const began = clock.monotonicMs();
    try {
      place = await runCycle(run, undo, place ?? (await readPlace(run, failedAt)), () => {
        failures = 0;
      });
      failedAt = undefined;
      await rest(restAfter(connector.everySeconds * 1000, clock.monotonicMs() - began), signal);
    } catch (error) {
      if (signal.aborted) break;
      place = undefined;
      failedAt = Math.max(failedAt ?? 0, (run.venueNow ?? clock.now)());
      await recordFailure(run, error);
      await clock
        .sleep(1000 + backoffMs(failures, error instanceof UpstreamChanged ? CHANGED_PACE : PACE), signal)
        .catch(() => undefined);
      failures += 1;
    }
  }
  watch.state = "stopped";
  await saveState(run.db, connector.name, "stopped", new Date(clock.now())).catch((error: unknown) =>
    run.log.warn({ err: error, stream: connector.name }, "the stream's end could not be recorded"),
  );
}

/**
 * Turns begin three quarters of a period apart: a row waits at most that long for the next turn, and the turn itself
 * must fit into the rest, so that no row is older than a period when stored.
 */
function restAfter(periodMs: number, tookMs: number): number {
  return Math.max(periodMs * MIN_REST, periodMs * BETWEEN_CYCLES - tookMs);
}

/** A stream's position: its last saved cursor, undefined before the first. */
type Place = Pick<PullOptions, "cursor" | "resumed">;

async function readPlace({ connector, db, watch }: PullRun, storedTo: number | undefined): Promise<Place> {
  const saved = await findStream(db, connector.name);
  watch.reached ??= saved?.reached?.getTime();
  watch.since ??= saved?.since?.getTime();
  return { cursor: saved?.cursor ?? undefined, resumed: { storedTo } };
}

/** Walks from a saved cursor until it is caught up; returns the cursor saved last. */
async function runCycle(run: PullRun, undo: Undo, from: Place, onBatch: () => void): Promise<Place> {
  const { connector, clock, signal, db, watch } = run;
  let { cursor } = from;
  watch.cursor = cursor;
  for await (const batch of walk(run, from)) {
    const stored = await storeBatch(run, batch, undo);
    await saveBatch(db, connector.name, batch, stored, new Date(clock.now()), isLate(run, batch));
    // As it would be read back: the records keep it as JSON.
    cursor = JSON.parse(JSON.stringify(batch.cursor)) as Cursor;
    follow(run, batch);
    if (batch.isFailing !== true) onBatch();
    if ((batch.isCaughtUp && !batch.listensOn) || signal.aborted) break;
  }
  return { cursor };
}

const isLate = ({ connector, clock, venueNow = clock.now }: PullRun, { reached }: Batch): boolean =>
  reached !== undefined && venueNow() - Date.parse(reached) > lateMs(connector);

function walk(run: PullRun, place: Place): AsyncGenerator<Batch, void, void> {
  const { connector, feed, also, clock, known, signal, venueNow = clock.now } = run;
  const { storedFills, storedPosts, spendable } = run;
  return connector.pull({ feed, also, ...place, now: venueNow, known, signal, storedFills, storedPosts, spendable });
}

async function storeBatch(run: PullRun, batch: Batch, undo: Undo): Promise<number> {
  const { connector, write, watch, clock, waking } = run;
  let stored = 0;
  for (const rows of batch.rows) {
    const inserted = await write(connector.name, rows, undo);
    stored += inserted.stored;
  }
  waking?.brought(batch);
  watch.stored(stored, clock.now());
  return stored;
}

function follow({ connector, watch, clock, metrics, log, venueNow = clock.now }: PullRun, batch: Batch): void {
  const now = clock.now();
  watch.cursor = batch.cursor;
  watch.state = batch.isCaughtUp ? "caught_up" : "running";
  if (batch.isCaughtUp) watch.caughtUpAt = now;
  if (batch.reached !== undefined) {
    watch.reached = Date.parse(batch.reached);
    metrics.lag.set({ stream: connector.name }, Math.max(0, (venueNow() - watch.reached) / 1000));
  }
  if (batch.since !== undefined) watch.since = Math.min(watch.since ?? Infinity, Date.parse(batch.since));
  if (batch.gap) {
    metrics.gaps.inc({ stream: connector.name });
    log.warn({ stream: connector.name, gap: batch.gap }, "a gap was found");
  }
  if (batch.compared) watch.note = reportCompared(metrics, connector.name, batch.compared);
  for (const notice of batch.notices ?? []) log.info({ stream: connector.name, notice }, "an upstream anomaly");
}

async function recordFailure({ connector, watch, clock, metrics, log, db }: PullRun, error: unknown): Promise<void> {
  const text = error instanceof Error ? error.message : String(error);
  const now = clock.now();
  watch.state = "failing";
  watch.failed(error, now);
  metrics.errors.inc({ stream: connector.name });
  log.error({ err: error, stream: connector.name }, "a stream failed; it resumes from its saved cursor");
  await saveError(db, connector.name, text, new Date(now)).catch((again: unknown) =>
    log.error({ err: again, stream: connector.name }, "the failure could not be recorded"),
  );
}
