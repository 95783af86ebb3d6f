import type { Batch, TableRows } from "../definition/connector.ts";
import { backoffMs } from "./backoff.ts";
import { type BackfillRange, finishBackfill, openBackfill } from "./control/backfill-record.ts";
import type { FillableGap } from "./control/fill-record.ts";
import { saveBackfillBatches, findStream, type StoredBatch } from "./control/save-batch.ts";
import type { Deriver } from "./derive.ts";
import type { PullRun } from "./pull.ts";
import type { Clock } from "./clock.ts";
import { prefetch } from "./prefetch.ts";
import { createUndo } from "./undo.ts";
import { nextWalk, placeOfWalk, walkedAgain } from "./walk-again.ts";
import { createWriteTogether } from "./write-together.ts";

export type BackfillRun = Omit<PullRun, "watch"> & {
  /** ISO, half-open. The same range goes on where it was left; one that ends ahead of now is walked until now, or the live stream. */
  readonly range: { readonly from: string; readonly to: string };
  /** Set where the walk is made for gaps: they are filled at its end, and it leaves no other record. */
  readonly gaps?: readonly FillableGap[];
  readonly deriver: Pick<Deriver, "flush" | "flushLeft">;
  readonly onProgress?: (progress: BackfillProgress) => void;
  /** Failures in a row, without a batch between them, after which it throws. */
  readonly attempts?: number;
};

/** Between the end of a save and the next one, at least: what depends on rows that were replaced is worked out by each. */
const SAVE_EVERY_MS = 5000;
/** A walk goes on for so many times as long as its last save took, but for no longer than `MOST_UNSAVED_MS`. */
const WALK_SHARE = 4;
const MOST_UNSAVED_MS = 30_000;
const PACE = { firstMs: 1000, mostMs: 30_000 };

/**
 * Walks a past range into the store. Its place is saved only after the rows before it are stored, and what hangs on
 * them is worked out or will be found by the next start, so a run that is cut off repeats a few seconds and changes
 * nothing. Resolves to whether it came to the end, once all of it is worked out; throws the failure that did not go away.
 */
export async function runBackfill(
  given: BackfillRun,
): Promise<{ readonly isFinished: boolean; readonly rows: number }> {
  const run = { ...given, range: await untilNow(given) };
  const { connector, db, clock, signal, log, gaps, attempts = 6 } = run;
  if (!connector.canBackfill) throw new TypeError(`${connector.name} cannot walk a past range`);
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
        // Its rows are answered as whole from here on; what is derived of them says itself how far it is.
        await run.deriver.flush(connector.tables);
        return { isFinished: true, rows: tracker.rows() };
      }
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      log.error({ err: error, stream: connector.name, failures }, "a backfill failed; it goes on from its saved place");
      if (failures >= attempts) throw error;
      await clock.sleep(backoffMs(failures, PACE), signal).catch(() => undefined);
    }
  }
  return { isFinished: false, rows: tracker.rows() };
}

/**
 * What is still to come is not held at the end of a walk, whatever was asked for. Where the live stream has been is past,
 * also where paper exchanges run ahead of this machine's clock.
 */
async function untilNow(run: BackfillRun): Promise<BackfillRun["range"]> {
  const { range, gaps, connector, db, clock, venueNow = clock.now } = run;
  const [now, to] = [venueNow(), Date.parse(range.to)];
  if (gaps !== undefined || to <= now) return range;
  const reached = (await findStream(db, connector.name))?.reached?.getTime() ?? now;
  return { ...range, to: new Date(Math.min(to, Math.max(now, reached))).toISOString() };
}

async function walkRange(
  run: BackfillRun,
  range: BackfillRange,
  cursor: Batch["cursor"] | undefined,
  tracker: BackfillTracker,
  onSaved: () => void,
): Promise<boolean> {
  const { connector, feed, also, clock, known, signal, venueNow = clock.now } = run;
  const undo = createUndo({ stream: connector.name, range }, run);
  const place = placeOfWalk(cursor);
  let waiting: StoredBatch[] = [];
  const write = async (rows: TableRows): Promise<number> => (await run.write(connector.name, rows, undo)).stored;
  const written = (batch: Batch, stored: number): void => {
    place.found += stored;
    // Its rows are stored, and may be many until the next save.
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
    saveAt = now + Math.max(SAVE_EVERY_MS, Math.min(MOST_UNSAVED_MS, WALK_SHARE * (now - began)));
  };
  const { walk } = place;
  const walked = connector.pull({ feed, also, cursor, range: run.range, walk, now: venueNow, known, signal });
  try {
    for await (const batch of prefetch(walked)) {
      await together.add(walk === 0 ? batch : walkedAgain(batch));
      if (signal.aborted || clock.monotonicMs() >= saveAt) await save();
      if (signal.aborted) return false;
    }
  } catch (error) {
    // What was stored before the walk broke off stands.
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
  /** Where the walk is in time (ISO); undefined before it said so. */
  readonly position: string | undefined;
  /** Share of the range walked, 0 to 1, and the seconds left at this run's speed; undefined while not known. */
  readonly share: number | undefined;
  readonly etaSeconds: number | undefined;
};

type BackfillTracker = {
  /** Rows that earlier runs stored. */
  readonly startAt: (rows: number) => void;
  readonly add: (batch: Pick<Batch, "reached" | "since">, stored: number) => void;
  readonly rows: () => number;
};

/** Follows a walk of a range (ISO) and tells how far it is. What a batch does not say stays as the one before said. */
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
    // A walk that goes forward may say its beginning with every batch.
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
