import { setImmediate as breathe } from "node:timers/promises";
import type { z } from "zod";
import type { Listener, ListenOptions } from "../../definition/listen.ts";
import { wrongShape, type WrongShape } from "../../definition/wrong-shape.ts";
import type { Asking } from "./ask-upstream.ts";
import { parseBounded } from "../../definition/upstream-bounds.ts";

/** Characters parsed before yielding to the event loop. */
const CHARS_PER_CYCLE = 256 * 1024;
/** What is not JSON, or exceeds its bounds, can never be replayed: only its beginning is kept. */
const MAX_UNREAD = 64 * 1024;
const MINUTE_MS = 60_000;
/** If every frame has a wrong shape, some of each minute are as informative as thousands. */
const MAX_PER_MINUTE = 100;

/**
 * Parks frames with gaps at their times. Beyond a bound only the last frame is kept, with a gap from the first one's
 * time to its own: earlier frames have their gaps already.
 */
function createFramePark(
  { host, stream, clock, log, metrics, park }: Asking,
  from: { readonly route: string; readonly path: string },
): (wrong: readonly WrongFrame[]) => Promise<void> {
  let minute = { since: clock.monotonicMs(), parked: 0 };
  const room = (): number => {
    if (clock.monotonicMs() - minute.since >= MINUTE_MS) minute = { since: clock.monotonicMs(), parked: 0 };
    return Math.max(0, MAX_PER_MINUTE - minute.parked);
  };
  return async (wrong) => {
    const last = wrong.at(-1);
    if (last === undefined) return;
    const timestamps = wrong.map(({ at }) => at);
    const whole = { from: Math.min(...timestamps), to: Math.max(...timestamps) };
    const some = wrong.slice(0, Math.min(wrong.length - 1, room()));
    const skipped = wrong.length - 1 - some.length;
    metrics.changed.inc({ host: host.name, route: from.route, stream }, wrong.length);
    if (skipped > 0) metrics.frames.inc({ stream, outcome: "unparked" }, skipped);
    log.error({ event: "upstream_changed", stream, ...last.wrong, frames: wrong.length, skipped }, "upstream_changed");
    for (const { text, wrong: shape, at } of some) {
      await park({ stream, host: host.name, ...from, ...shape, body: text, missing: { from: at, to: at } });
    }
    await park({ stream, host: host.name, ...from, ...last.wrong, body: last.text, missing: whole });
    minute.parked += some.length + 1;
  };
}

type Read<T> = (frames: readonly string[], receivedMs: number) => Promise<Omit<Listener<T>, "isLive">>;

/** An unreadable frame, and the time (Unix ms) at which its data is missing. */
type WrongFrame = { readonly text: string; readonly wrong: WrongShape; readonly at: number };

/**
 * If this many distinct authors send a wrong shape, with no valid frame of that kind between, the venue is at fault.
 */
const VENUES_DOING = 4;
/** Maximum frames held per author, to be parked in that case. */
const MAX_HELD = 4;
/** No venue's clock is so far ahead: a cursor beyond it would skip everything until then. */
const FUTURE_MS = 86_400_000;
/** Clocks differ by seconds. What is stamped further ahead moves no cursor: events until then would be skipped. */
const AHEAD_MS = 10_000;

/** The range of frames' timestamps without those far ahead of their arrival; the arrival itself if all are. */
function createStamps(receivedMs: number) {
  let span: { from: number; to: number } | undefined;
  let hasAhead = false;
  return {
    add: (ms: number): void => {
      if (ms > receivedMs + AHEAD_MS) hasAhead = true;
      else span = { from: Math.min(span?.from ?? ms, ms), to: Math.max(span?.to ?? ms, ms) };
    },
    span: () => span ?? (hasAhead ? { from: receivedMs, to: receivedMs } : undefined),
  };
}

/** Parses the frames that are needed; those of a wrong shape are parked before anything is returned. */
export function createFrameReader<T extends z.ZodType>(
  asking: Asking,
  from: { readonly route: string; readonly path: string },
  frame: T,
  { glance, timestampOf, strangerOf }: ListenOptions,
): Read<z.output<T>> {
  const { metrics, stream, raw, host } = asking;
  const park = createFramePark(asking, from);
  const held = new Map<string, { readonly frames: WrongFrame[]; readonly counts: Map<string, number> }>();

  /** Frames to park: at once, or once individual authors cannot be the cause. */
  const judge = (value: unknown, found: WrongFrame): readonly WrongFrame[] => {
    const stranger = strangerOf?.(value);
    if (stranger === undefined) return [found];
    const row = held.get(stranger.kind) ?? { frames: [], counts: new Map<string, number>() };
    held.set(stranger.kind, row);
    if (row.counts.size >= VENUES_DOING) return [found];
    const count = (row.counts.get(stranger.id) ?? 0) + 1;
    row.counts.set(stranger.id, count);
    if (count <= MAX_HELD) row.frames.push(found);
    return row.counts.size >= VENUES_DOING ? row.frames.splice(0) : [];
  };

  return async (frames, receivedMs) => {
    const events: z.output<T>[] = [];
    const wrong: WrongFrame[] = [];
    const stamps = createStamps(receivedMs);
    let malformed = 0;
    let chars = 0;
    for (const text of frames) {
      chars += text.length;
      if (chars > CHARS_PER_CYCLE) {
        chars = 0;
        await breathe();
      }
      const seen = glance(text);
      // Only its timestamp is needed.
      const isEnough = seen?.isNeeded === false && seen.ms <= receivedMs + FUTURE_MS;
      const value = isEnough ? undefined : parseOrText(text);
      const ms = seen === undefined ? timestampOf?.(value) : seen.ms;
      const isAhead = ms !== undefined && ms > receivedMs + FUTURE_MS;
      if (ms !== undefined && !isAhead) stamps.add(ms);
      if (isEnough) continue;
      raw?.keep({ ...from, host: host.name, stream, status: 0, kind: "frame", body: text });
      const read = frame.safeParse(value);
      if (read.success && !isAhead) {
        events.push(read.data);
        if (held.size > 0) held.delete(strangerOf?.(value)?.kind ?? "");
        continue;
      }
      metrics.frames.inc({ stream, outcome: "unreadable" });
      const problem = read.success
        ? { field: "(its moment)", problem: "it is days ahead", sample: text.slice(0, 200) }
        : wrongShape(read.error, value);
      const body = typeof value === "string" ? text.slice(0, MAX_UNREAD) : text;
      const parking = judge(value, { text: body, wrong: problem, at: isAhead ? receivedMs : (ms ?? receivedMs) });
      if (parking.length === 0) malformed += 1;
      wrong.push(...parking);
    }
    await park(wrong);
    return { events, span: stamps.span(), malformed };
  };
}

/** Parses JSON; returns the text itself if it is not JSON. */
export function parseOrText(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return text;
  }
}
