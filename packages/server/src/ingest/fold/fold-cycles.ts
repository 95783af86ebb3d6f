import type { Touched, Day, KeyRange } from "../../definition/fold.ts";
import type { Backlog } from "../backlog.ts";
import { findClosed, saveClosed, saveDerivedThrough } from "../control/derivation-record.ts";
import { auditRange } from "./audit-fold.ts";
import { earliest } from "./fold-reads.ts";
import type { FoldDays } from "./fold-days.ts";
import type { FoldOptions } from "./fold-queue.ts";
import { foldSince } from "./fold-all.ts";
import { SLICE } from "./plan-slices.ts";
import { workTouched, type Between, type FoldEngine } from "./fold-work.ts";
import type { Touch } from "./touch-rows.ts";
import { STAMP_MARGIN_MS } from "../timestamps.ts";
import { keyLength, keyRanges } from "./key-sql.ts";

/** Keys are looked up range by range, so memory does not grow with their number. */
const RANGES = 64;

/** Makes the rows of the days after `closed` up to `day` for all keys that held or did something. */
async function closeDays(
  engine: FoldEngine,
  run: {
    readonly closed: Day;
    readonly day: Day;
    readonly signal: AbortSignal;
    readonly between?: Between | undefined;
  },
): Promise<void> {
  const { fold, read, limits = SLICE } = engine;
  read.memory.clear();
  let held = new Map<string, Day>();
  for (const range of keyRanges(RANGES, keyLength(fold))) {
    run.signal.throwIfAborted();
    for (const [key, day] of await fold.findHolders(read, run, range)) held.set(key, day);
    // A slice needs as many statements for one key as for thousands.
    if (held.size < limits.keys) continue;
    await workTouched(engine, held, run.day, run.signal, run.between);
    held = new Map();
  }
  await workTouched(engine, held, run.day, run.signal, run.between);
}

export const KEYS_PER_CYCLE = 5000;
/** Number of ranges of all keys; one is audited at a time. */
export const AUDIT_RANGES = 256;

type Parts = {
  readonly engine: FoldEngine;
  readonly options: FoldOptions;
  readonly backlog: Backlog<Touch>;
  readonly days: FoldDays;
};

/** Folds some of the queued keys. */
export async function workPending({ engine, backlog, days }: Parts, signal: AbortSignal): Promise<void> {
  engine.read.memory.clear();
  await backlog.cycle(KEYS_PER_CYCLE, async (taken, sinceMs) => {
    const done = await workTouched(engine, await toKeys(engine, taken, sinceMs), days.closed(), signal);
    return done.keys;
  });
}

async function toKeys({ fold, read }: FoldEngine, taken: readonly Touch[], sinceMs: number): Promise<Touched> {
  const keys = new Map<string, string>();
  for (const [index, source] of fold.from.entries()) {
    const values = earliest(taken.filter((one) => one.source === index).map(({ value, day }) => [value, day]));
    if (values.size > 0) earliest(source.find ? await source.find(read, values, sinceMs) : values, keys);
  }
  return keys;
}

/** Folds what was not announced key by key. */
export function workOverflow(parts: Parts, signal: AbortSignal): Promise<void> {
  return parts.backlog.settle((sinceMs) => workSince(parts, sinceMs, letThrough(parts, signal), signal));
}

/** How often all rows are examined, not only those stored, or completed by new information, since the last look. */
const RIPE_WHOLE_MS = 3_600_000;
/** Longer than dictionaries, which rows are derived from, lag behind their tables. */
const RIPE_MARGIN_MS = 60_000;

/** Folds keys whose rows lacked information that has become available. */
export function createRipeWork({ engine, options: { clock }, days }: Parts): (signal: AbortSignal) => Promise<void> {
  let [lookedMs, wholeAt] = [0, Number.NEGATIVE_INFINITY];
  return async (signal) => {
    engine.read.memory.clear();
    const [nowMs, at] = [clock.now(), clock.monotonicMs()];
    const isWhole = at - wholeAt >= RIPE_WHOLE_MS || nowMs < lookedMs;
    const sinceMs = isWhole ? 0 : Math.max(0, lookedMs - RIPE_MARGIN_MS);
    await workTouched(engine, await engine.fold.findRipe(engine.read, sinceMs), days.closed(), signal);
    [lookedMs, wholeAt] = [nowMs, isWhole ? at : wholeAt];
  };
}

/** Folds one range of all keys from scratch per call, and reports where the stored rows differed. */
export async function workAudit({ engine, options, days }: Parts, place: number, signal: AbortSignal): Promise<void> {
  const { fold } = engine;
  const { metrics, log, clock } = options;
  const range = [...keyRanges(AUDIT_RANGES, keyLength(fold))][place % AUDIT_RANGES] as KeyRange;
  const audited = { closed: days.closed(), nowMs: clock.now(), signal };
  const { keys, different, recent } = await auditRange(engine, range, audited);
  const outcomes = { equal: keys - different.length - recent, different: different.length, recent };
  for (const [outcome, count] of Object.entries(outcomes))
    metrics.audited.inc({ derivation: fold.name, outcome }, count);
  if (different.length === 0) return;
  const some = different.slice(0, 5);
  log.error(
    { derivation: fold.name, keys: different.length, some },
    "derived rows differed from the ledger; they were corrected",
  );
}

/** Makes rows of the days that are over for all keys. */
export async function workDays(parts: Parts, signal: AbortSignal): Promise<void> {
  const { engine, options, days } = parts;
  const [closed, day] = [days.closed(), days.over()];
  days.closing(day);
  try {
    await closeDays(engine, { closed, day, signal, between: letThrough(parts, signal) });
    await saveClosed(options.db, engine.fold.name, day, new Date(options.clock.now()));
    days.close(day);
  } catch (error) {
    days.close(closed);
    throw error;
  }
}

/**
 * Folds what an earlier process stored but did not fold, since the recorded watermark; everything if the fold never
 * ran. Resolves to the watermark in the records.
 */
export async function resume(
  parts: Parts,
  found: Date | undefined,
  isFirst: boolean,
  signal: AbortSignal,
): Promise<Date> {
  const { engine, options, days } = parts;
  const { db, clock } = options;
  const { name } = engine.fold;
  if (found === undefined) engine.checkpoints.beginWhole();
  // A watermark lowered later is processed by this process itself, so its checkpoints stay valid.
  else if (isFirst) engine.checkpoints.keepIfLeftAt(found);
  days.close((found && (await findClosed(db, name))) ?? days.over());
  const began = new Date(clock.now() - STAMP_MARGIN_MS);
  await workSince(parts, found?.getTime() ?? 0, undefined, signal);
  if (found !== undefined) return found;
  await saveClosed(db, name, days.closed(), new Date(clock.now()));
  engine.checkpoints.leaveAt(began);
  await saveDerivedThrough(db, name, began, new Date(clock.now()));
  return began;
}

async function workSince(
  { engine, options, days }: Parts,
  sinceMs: number,
  between: Between | undefined,
  signal: AbortSignal,
): Promise<void> {
  await foldSince(engine, options, { sinceMs: Math.max(0, sinceMs), closed: days.closed(), signal, between });
}

/** Lets a long piece of work be interrupted by keys touched meanwhile. */
function letThrough(parts: Parts, signal: AbortSignal): Between {
  return { isDue: () => parts.backlog.size() > 0, run: () => workPending(parts, signal) };
}
