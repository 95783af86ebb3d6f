import type { Batch } from "../definition/connector.ts";
import { backoffMs } from "./backoff.ts";
import { finishBackfill, openBackfill } from "./control/backfill-record.ts";
import type { FillableGap } from "./control/fill-record.ts";
import { saveBackfillBatch, type BackfillRange } from "./control/save-batch.ts";
import type { Deriver } from "./derive.ts";
import type { PullRun } from "./pull.ts";
import { createUndo } from "./undo.ts";

export type BackfillProgress = {
  readonly rows: number;
  readonly rowsPerSecond: number;
  /** Where the walk is in time (ISO); undefined before it said so. */
  readonly position: string | undefined;
  /** Share of the range walked, 0 to 1, and the seconds left at this run's speed; undefined while not known. */
  readonly share: number | undefined;
  readonly etaSeconds: number | undefined;
};

export type BackfillRun = Omit<PullRun, "watch"> & {
  /** ISO, half-open. The same range goes on where it was left. */
  readonly range: { readonly from: string; readonly to: string };
  /** Set where the walk is made for gaps: they are filled at its end, and it leaves no other record. */
  readonly gaps?: readonly FillableGap[];
  readonly deriver: Deriver;
  readonly onProgress?: (progress: BackfillProgress) => void;
  /** Failures in a row, without a batch between them, after which it throws. */
  readonly attempts?: number;
};

const SAVE_EVERY_MS = 5000;
const PACE = { firstMs: 1000, mostMs: 30_000 };

/**
 * Walks a past range into the store. Its place is saved only after the rows before it are stored and worked out, so a
 * run that is cut off repeats a few seconds and changes nothing. Resolves to whether it came to the end; throws the
 * failure that did not go away.
 */
export async function runBackfill(run: BackfillRun): Promise<{ readonly isFinished: boolean; readonly rows: number }> {
  const { connector, db, clock, signal, log, gaps, attempts = 6 } = run;
  if (!connector.canBackfill) throw new TypeError(`${connector.name} cannot walk a past range`);
  const range: BackfillRange = { stream: connector.name, ...run.range, ...(gaps && { gaps }) };
  const tracker = createTracker(run);
  for (let failures = 0; !signal.aborted;) {
    try {
      const record = await openBackfill(db, range, new Date(clock.now()));
      if (record.finished_at) return { isFinished: true, rows: record.rows_stored };
      tracker.startAt(record.rows_stored);
      const isWhole = await walkRange(run, range, record.cursor ?? undefined, tracker, () => {
        failures = 0;
      });
      if (isWhole) {
        await finishBackfill(db, range, new Date(clock.now()));
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

async function walkRange(
  run: BackfillRun,
  range: BackfillRange,
  cursor: Batch["cursor"] | undefined,
  tracker: Tracker,
  onSaved: () => void,
): Promise<boolean> {
  const { connector, feed, also, clock, known, signal, venueNow = clock.now } = run;
  const undo = createUndo({ stream: connector.name, isBackfill: true }, run);
  let waiting: { batch: Batch; stored: number }[] = [];
  let savedAt = clock.now();
  const save = async (): Promise<void> => {
    await run.deriver.flush();
    for (const { batch, stored } of waiting) {
      await saveBackfillBatch(run.db, range, batch, stored, new Date(clock.now()));
    }
    if (waiting.length > 0) onSaved();
    waiting = [];
    savedAt = clock.now();
  };
  const walked = connector.pull({ feed, also, cursor, range: run.range, now: venueNow, known, signal });
  try {
    for await (const batch of walked) {
      let stored = 0;
      for (const rows of batch.rows) stored += (await run.write(connector.name, rows, undo)).stored;
      waiting.push({ batch, stored });
      tracker.add(batch, stored);
      if (signal.aborted || clock.now() - savedAt >= SAVE_EVERY_MS) await save();
      if (signal.aborted) return false;
    }
  } catch (error) {
    // What was stored before the walk broke off stands.
    await save();
    throw error;
  }
  await save();
  return !signal.aborted;
}

type Tracker = {
  readonly startAt: (rows: number) => void;
  readonly add: (batch: Batch, stored: number) => void;
  readonly rows: () => number;
};

function createTracker({ range, clock, onProgress }: BackfillRun): Tracker {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const startedAt = clock.now();
  let before: number | undefined;
  let added = 0;
  let firstShare: number | undefined;
  const shareOf = ({ reached, since }: Batch): number | undefined => {
    // A walk that goes forward may say its beginning with every batch.
    if (reached !== undefined) return (Date.parse(reached) - from) / (to - from);
    return since === undefined ? undefined : (to - Date.parse(since)) / (to - from);
  };
  return {
    startAt: (rows) => (before ??= rows),
    add: (batch, stored) => {
      added += stored;
      const seconds = Math.max(0.001, (clock.now() - startedAt) / 1000);
      const found = shareOf(batch);
      const share = found === undefined ? undefined : Math.min(1, Math.max(0, found));
      firstShare ??= share;
      const gained = share === undefined || firstShare === undefined ? 0 : share - firstShare;
      onProgress?.({
        rows: (before ?? 0) + added,
        rowsPerSecond: added / seconds,
        position: batch.reached ?? batch.since,
        share,
        etaSeconds: gained > 0 && share !== undefined ? ((1 - share) / gained) * seconds : undefined,
      });
    },
    rows: () => (before ?? 0) + added,
  };
}
