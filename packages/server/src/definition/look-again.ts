import type { Batch, PullOptions, TableRows } from "./connector.ts";
import { cursorNumber } from "./cursor-number.ts";

/** The result of a second read of a time range. Seconds are Unix seconds. */
export type Look = {
  /** The rows to store: at least the missing ones. */
  readonly rows: readonly TableRows[];
  readonly agreed: number;
  /** The second of each row found now that was not stored. */
  readonly missing: readonly number[];
  /** Stored rows that this read did not find: it missed some itself, or the upstream retracted them. */
  readonly unlisted: number;
  /** Length of the start of the range that the upstream no longer returned. */
  readonly unreachedSeconds?: number;
};

type Manner = {
  /** The stream whose rows are checked. */
  readonly of: string;
  /** The name of its rows in messages ("trades"). */
  readonly called: string;
  /** How far to stay behind the stream's progress. */
  readonly behindSeconds: number;
  readonly windowSeconds: number;
  /** Whether the stream can cheaply walk the range of a found row again: a gap requests it. */
  readonly opensGap: boolean;
  /** Reads from `from` up to `to` (exclusive). `time` counts the reads of this range from 0. */
  readonly look: (from: number, to: number, time: number) => Promise<Look>;
};

/** How far back the first check begins, where the stream covers that much. */
const FIRST_SECONDS = 1800;
/** A cursor further ahead of the stream than this was saved while this machine's clock was ahead. */
const AHEAD_SECONDS = 60;
/** Windows per cycle: after a long stop the rest waits for the next one. */
const MAX_WINDOWS = 24;
/** A range is finished when a read found no difference, or after this many reads. */
const MAX_LOOKS = 5;

/**
 * One cycle of the second read of a stream's stored rows, window by window, oldest first. A range is finished when a
 * read agrees exactly with the stored rows; else it is read again in the next cycle, which starts there. The cursor
 * holds `checked` (Unix seconds; everything before is finished) and `looks` (reads of its first window so far). If the
 * stream's progress went back, because it was taken from a clock that was ahead, the last half hour is read again.
 */
export async function* lookAgain(
  { storedFills, cursor, signal }: PullOptions,
  manner: Manner,
): AsyncGenerator<Batch, void, void> {
  const reached = await storedFills?.reachedOf(manner.of);
  if (reached === undefined) return yield { rows: [], cursor: cursor ?? {}, isCaughtUp: true };
  const end = Math.floor(reached / 1000) - manner.behindSeconds;
  const since = (await storedFills?.sinceOf(manner.of)) ?? 0;
  const saved = cursorNumber(cursor, "checked") ?? Infinity;
  const isSaved = saved <= end + AHEAD_SECONDS;
  let checked = isSaved ? saved : Math.max(Math.ceil(since / 1000), end - FIRST_SECONDS);
  let looks = isSaved ? (cursorNumber(cursor, "looks") ?? 0) : 0;
  for (let window = 0; window < MAX_WINDOWS && checked < end && !signal.aborted; window += 1) {
    const to = Math.min(end, checked + manner.windowSeconds);
    const found = await manner.look(checked, to, looks);
    const isDone = (found.missing.length === 0 && found.unlisted === 0) || looks + 1 >= MAX_LOOKS;
    const next = isDone ? { checked: to, looks: 0 } : { checked, looks: looks + 1 };
    yield { ...report(found, manner, isDone), cursor: next, ...(isDone && { reached: isoOf(to) }) };
    if (!isDone) return yield { rows: [], cursor: next, isCaughtUp: true };
    ({ checked, looks } = next);
  }
  yield { rows: [], cursor: { checked, looks }, isCaughtUp: true };
}

function report(found: Look, manner: Manner, isDone: boolean): Omit<Batch, "cursor"> {
  const { rows, agreed, missing, unlisted } = found;
  const compared = { agreed, missing: missing.length, unlisted };
  const notices = noticesOf(found, manner, isDone);
  if (missing.length === 0 || !manner.opensGap) return { rows, compared, notices };
  const [first, last] = missing.reduce(([a, b], at) => [Math.min(a, at), Math.max(b, at)], [Infinity, 0]);
  const reason = `a recheck found ${manner.called} that the first read missed: ${missing.length}`;
  return { rows, compared, notices, gap: { stream: manner.of, from: isoOf(first), to: isoOf(last + 1), reason } };
}

function noticesOf({ missing, unlisted, unreachedSeconds = 0 }: Look, { of, called }: Manner, isDone: boolean) {
  const said = [
    [`a recheck found ${called} that the first read missed`, missing.length],
    [`stored ${called} were missing from ${MAX_LOOKS} rechecks`, isDone ? unlisted : 0],
    ["a recheck did not reach back: so many seconds were not compared", isDone ? unreachedSeconds : 0],
  ] as const;
  return said
    .filter(([, count]) => count > 0)
    .map(([text, count]) => ({ kind: "upstream_note" as const, text: `${of}: ${text}`, count }));
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
