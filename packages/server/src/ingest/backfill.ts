import type { Batch, TableRows } from "../definition/connector.ts";
import { backoffMs, type Clock } from "./clock.ts";
import { type BackfillRange, finishBackfill, openBackfill } from "./control/backfill-record.ts";
import type { FillableGap } from "./control/fill-record.ts";
import { saveBackfillBatches, findStream, type StoredBatch } from "./control/save-batch.ts";
import type { Deriver } from "./derive.ts";
import type { PullRun } from "./pull.ts";
import { prefetch, nextWalk, placeOfWalk, walkedAgain, createWriteTogether } from "./backfill-walk.ts";
import { createUndo } from "./undo.ts";

export type BackfillRun = Omit<PullRun, "watch"> & {
  /**
   * ISO, half-open. The same range resumes from its cursor; an end in the future is cut to now (less the time in which
   * rows still arrive) or the live stream's watermark.
   */
  readonly range: { readonly from: string; readonly to: string };
  /** Set if the walk is made for gaps: they are marked filled at its end, and its own record is deleted. */
  readonly gaps?: readonly FillableGap[];
  readonly deriver: Pick<Deriver, "flush" | "flushLeft">;
  readonly onProgress?: (progress: BackfillProgress) => void;
  /** Consecutive failures, without a batch between them, after which it throws. */
  readonly attempts?: number;
};

/** Minimum time between saves: each save re-derives what depends on replaced rows. */
const SAVE_EVERY_MS = 5000;
/** A walk continues for this multiple of its last save's duration, at most `MAX_UNSAVED_MS`. */
const WALK_SHARE = 4;
const MAX_UNSAVED_MS = 30_000;
const PACE = { firstMs: 1000, maxMs: 30_000 };

/**
 * Backfills a past range into the store. The cursor is saved only after the rows before it are stored and their derived
 * rows are computed or will be found at the next start, so an interrupted run repeats a few seconds and changes
 * nothing. Resolves to whether it reached the end, once everything is derived; throws a failure that persists.
 */
export async function runBackfill(
  given: BackfillRun,
): Promise<{ readonly isFinished: boolean; readonly rows: number }> {
  const run = { ...given, range: await untilSettled(given) };
  const { connector, db, clock, signal, log, gaps, attempts = 6 } = run;
  if (!connector.canBackfill) throw new TypeError(`${connector.name} cannot backfill a range`);
  if (gaps === undefined && Date.parse(run.range.from) >= Date.parse(run.range.to))
    return { isFinished: true, rows: 0 };
  const range: BackfillRange = { stream: connector.name, ...run.range, ...(gaps && { gaps }) };
  const tracker = trackBackfill(run.range, clock, run.onProgress);
  let began: Date | undefined;
  for (let failures = 0; !signal.aborted;) {
    try {
      const record = await openBackfill(db, range, new Date(clock.now()));
      if (record.finished_at) return { isFinished: true, rows: record.rows_stored };
      tracker.startAt(record.rows_stored);
      if (record.cursor === null) began = new Date(clock.now());
      const isWhole = await walkRange(
        run,
        { ...range, ...(began && { began }) },
        record.cursor ?? undefined,
        tracker,
        () => {
          failures = 0;
        },
      );
      if (isWhole) {
        await finishBackfill(db, range, new Date(clock.now()));
        // From here on coverage reports these rows as complete; derived tables report their own progress.
        await run.deriver.flush(connector.tables);
        return { isFinished: true, rows: tracker.rows() };
      }
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      log.error(
        { err: error, stream: connector.name, failures },
        "a backfill failed; it resumes from its saved cursor",
      );
      if (failures >= attempts) throw error;
      await clock.sleep(backoffMs(failures, PACE), signal).catch(() => undefined);
    }
  }
  return { isFinished: false, rows: tracker.rows() };
}

/**
 * Cuts the end to the time up to which all rows have arrived, because what follows is not covered however far the range
 * reaches. Anything up to the live stream's watermark is past, even if a paper exchange's clock runs ahead of this
 * machine's.
 */
async function untilSettled(run: BackfillRun): Promise<BackfillRun["range"]> {
  const { range, gaps, connector, db, clock, venueNow = clock.now } = run;
  const [settled, to] = [venueNow() - (connector.settleSeconds ?? 0) * 1000, Date.parse(range.to)];
  if (gaps !== undefined || to <= settled) return range;
  const reached = (await findStream(db, connector.name))?.reached?.getTime() ?? settled;
  return { ...range, to: new Date(Math.min(to, Math.max(settled, reached))).toISOString() };
}

async function walkRange(
  run: BackfillRun,
  range: BackfillRange,
  cursor: Batch["cursor"] | undefined,
  tracker: BackfillTracker,
  onSaved: () => void,
): Promise<boolean> {
  const { connector, feed, also, clock, known, storedFills, signal, venueNow = clock.now } = run;
  const undo = createUndo({ stream: connector.name, range }, run);
  const place = placeOfWalk(cursor);
  let waiting: StoredBatch[] = [];
  const write = async (rows: TableRows): Promise<number> => (await run.write(connector.name, rows, undo)).stored;
  const written = (batch: Batch, stored: number): void => {
    place.found += stored;
    // Only the cursor is kept: the rows are stored, and may be many by the next save.
    const next = connector.walksAgain ? { ...batch.cursor, ...place } : batch.cursor;
    waiting.push({ batch: { ...batch, rows: [], cursor: next }, stored });
    tracker.add(batch, stored);
  };
  const together = createWriteTogether(write, written, clock);
  let saveAt = clock.monotonicMs() + SAVE_EVERY_MS;
  const save = async (): Promise<void> => {
    await together.end();
    const began = clock.monotonicMs();
    await run.deriver.flushLeft(connector.tables);
    await saveBackfillBatches(run.db, range, waiting, new Date(clock.now()));
    if (waiting.length > 0) onSaved();
    waiting = [];
    const now = clock.monotonicMs();
    saveAt = now + Math.max(SAVE_EVERY_MS, Math.min(MAX_UNSAVED_MS, WALK_SHARE * (now - began)));
  };
  const { walk } = place;
  const walked = connector.pull({
    feed,
    also,
    cursor,
    range: run.range,
    walk,
    now: venueNow,
    known,
    storedFills,
    signal,
  });
  try {
    for await (const batch of prefetch(walked)) {
      await together.add(walk === 0 ? batch : walkedAgain(batch));
      if (signal.aborted || clock.monotonicMs() >= saveAt) await save();
      if (signal.aborted) return false;
    }
  } catch (error) {
    // Rows stored before the walk failed remain, so their cursor is saved.
    await save();
    throw error;
  }
  await save();
  if (signal.aborted) return false;
  const next = connector.walksAgain ? nextWalk(place) : undefined;
  if (next !== undefined) await saveBackfillBatches(run.db, range, [{ batch: next, stored: 0 }], new Date(clock.now()));
  return next === undefined || next.isCaughtUp === true;
}

export type BackfillProgress = {
  readonly rows: number;
  readonly rowsPerSecond: number;
  /** Current time position of the walk (ISO); undefined until a batch reports one. */
  readonly position: string | undefined;
  /** Share of the range walked, 0 to 1, and the seconds left at this run's speed; undefined while unknown. */
  readonly share: number | undefined;
  readonly etaSeconds: number | undefined;
};

type BackfillTracker = {
  /** Rows stored by earlier runs. */
  readonly startAt: (rows: number) => void;
  readonly add: (batch: Pick<Batch, "reached" | "since">, stored: number) => void;
  readonly rows: () => number;
};

/** Tracks and reports the progress of a walk over a range (ISO). A batch without a position keeps the previous one. */
export function trackBackfill(
  range: { readonly from: string; readonly to: string },
  clock: Clock,
  onProgress?: (progress: BackfillProgress) => void,
): BackfillTracker {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const startedAt = clock.monotonicMs();
  let before: number | undefined;
  let added = 0;
  let first: number | undefined;
  let last: { position: string | undefined; share: number | undefined } = { position: undefined, share: undefined };
  const look = ({ reached, since }: Pick<Batch, "reached" | "since">): typeof last => {
    // A forward walk may report its start with every batch.
    const position = reached ?? since;
    if (position === undefined) return last;
    const share = (reached === undefined ? to - Date.parse(position) : Date.parse(position) - from) / (to - from);
    return { position, share: Math.min(1, Math.max(0, share)) };
  };
  return {
    startAt: (rows) => (before ??= rows),
    add: (batch, stored) => {
      added += stored;
      const seconds = Math.max(0.001, (clock.monotonicMs() - startedAt) / 1000);
      last = look(batch);
      first ??= last.share;
      const gained = last.share === undefined || first === undefined ? 0 : last.share - first;
      onProgress?.({
        ...last,
        rows: (before ?? 0) + added,
        rowsPerSecond: added / seconds,
        etaSeconds: gained > 0 && last.share !== undefined ? ((1 - last.share) / gained) * seconds : undefined,
      });
    },
    rows: () => (before ?? 0) + added,
  };
}
