import type { Batch, PullOptions, TableRows } from "./connector.ts";
import { cursorNumber } from "./cursor-number.ts";

/** What a second read of a stretch of time found. Seconds are Unix seconds. */
export type Look = {
  /** What is to be stored: at least what was missing. */
  readonly rows: readonly TableRows[];
  readonly agreed: number;
  /** The second of each row that was told now and not stored. */
  readonly missing: readonly number[];
  /** Rows stored that were not told now: this read missed some itself, or the upstream took them back. */
  readonly unlisted: number;
  /** How much of the beginning of the stretch the upstream did not give any more. */
  readonly unreachedSeconds?: number;
};

type Manner = {
  /** The stream whose rows are looked for. */
  readonly of: string;
  /** How the rows are called ("trades"). */
  readonly called: string;
  /** So far behind what the stream brought. */
  readonly behindSeconds: number;
  readonly windowSeconds: number;
  /** Whether the stream can walk the stretch of a found row a third time at little cost: a gap asks for it. */
  readonly opensGap: boolean;
  /** Reads from `from` on, up to `to` exclusive. `time` counts the looks at this stretch from 0. */
  readonly look: (from: number, to: number, time: number) => Promise<Look>;
};

/** How far back the first look begins, where the stream held so much. */
const FIRST_SECONDS = 1800;
/** Windows of a turn: after a long stop the rest waits for the next one. */
const MOST_WINDOWS = 24;
/** A stretch is done with when a look found nothing, or after so many. */
const MOST_LOOKS = 5;

/**
 * One turn of a second look at what a stream stored, window by window, oldest first. A stretch is done with when a look
 * at it had all that is stored and nothing more; else it is looked at again, from this place, in the next turn. The
 * cursor holds `checked` (Unix seconds; all before it is done with) and `looks` (how many its first window had).
 */
export async function* lookAgain(
  { storedFills, cursor, signal }: PullOptions,
  manner: Manner,
): AsyncGenerator<Batch, void, void> {
  const reached = await storedFills?.reachedOf(manner.of);
  if (reached === undefined) return yield { rows: [], cursor: cursor ?? {}, isCaughtUp: true };
  const end = Math.floor(reached / 1000) - manner.behindSeconds;
  const since = (await storedFills?.sinceOf(manner.of)) ?? 0;
  let checked = cursorNumber(cursor, "checked") ?? Math.max(Math.ceil(since / 1000), end - FIRST_SECONDS);
  let looks = cursorNumber(cursor, "looks") ?? 0;
  for (let window = 0; window < MOST_WINDOWS && checked < end && !signal.aborted; window += 1) {
    const to = Math.min(end, checked + manner.windowSeconds);
    const found = await manner.look(checked, to, looks);
    const isDone = (found.missing.length === 0 && found.unlisted === 0) || looks + 1 >= MOST_LOOKS;
    const next = isDone ? { checked: to, looks: 0 } : { checked, looks: looks + 1 };
    yield { ...tell(found, manner, isDone), cursor: next, ...(isDone && { reached: isoOf(to) }) };
    if (!isDone) return yield { rows: [], cursor: next, isCaughtUp: true };
    ({ checked, looks } = next);
  }
  yield { rows: [], cursor: { checked, looks }, isCaughtUp: true };
}

function tell(found: Look, manner: Manner, isDone: boolean): Omit<Batch, "cursor"> {
  const { rows, agreed, missing, unlisted } = found;
  const compared = { agreed, missing: missing.length, unlisted };
  const notices = noticesOf(found, manner, isDone);
  if (missing.length === 0 || !manner.opensGap) return { rows, compared, notices };
  const [first, last] = missing.reduce(([a, b], at) => [Math.min(a, at), Math.max(b, at)], [Infinity, 0]);
  const reason = `a second look found ${manner.called} that the first had not: ${missing.length}`;
  return { rows, compared, notices, gap: { stream: manner.of, from: isoOf(first), to: isoOf(last + 1), reason } };
}

function noticesOf({ missing, unlisted, unreachedSeconds = 0 }: Look, { of, called }: Manner, isDone: boolean) {
  const said = [
    [`a second look found ${called} that the first had not`, missing.length],
    [`${called} that are stored were left out of ${MOST_LOOKS} second looks`, isDone ? unlisted : 0],
    ["a second look did not reach back: so many seconds were not compared", isDone ? unreachedSeconds : 0],
  ] as const;
  return said
    .filter(([, count]) => count > 0)
    .map(([text, count]) => ({ kind: "upstream_note" as const, text: `${of}: ${text}`, count }));
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
