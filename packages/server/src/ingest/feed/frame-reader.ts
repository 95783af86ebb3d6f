import { setImmediate as breathe } from "node:timers/promises";
import type { z } from "zod";
import type { Heard, ListenOptions } from "../../definition/listen.ts";
import { wrongShape, type WrongShape } from "../../definition/wrong-shape.ts";
import { parseOrText } from "../parse-or-text.ts";
import type { Asking } from "./ask-upstream.ts";

/** So much is read before the event loop turns. */
const CHARS_A_TURN = 256 * 1024;
/** What is no JSON, or too much of it, can never be replayed: its beginning is kept. */
const MOST_UNREAD = 64 * 1024;
const A_MINUTE = 60_000;
/** When all that comes is of a wrong shape, some frames of each minute tell as much as thousands. */
const MOST_A_MINUTE = 100;

/**
 * Parks frames with gaps at their moments. Beyond a bound only the last of them is kept, with a gap from the first one's
 * moment to its own: what was met before has its gap already.
 */
function createFramePark(
  { host, stream, clock, log, metrics, park }: Asking,
  from: { readonly route: string; readonly path: string },
): (wrong: readonly WrongFrame[]) => Promise<void> {
  let minute = { since: clock.monotonicMs(), parked: 0 };
  const room = (): number => {
    if (clock.monotonicMs() - minute.since >= A_MINUTE) minute = { since: clock.monotonicMs(), parked: 0 };
    return Math.max(0, MOST_A_MINUTE - minute.parked);
  };
  return async (wrong) => {
    const last = wrong.at(-1);
    if (last === undefined) return;
    const moments = wrong.map(({ at }) => at);
    const whole = { from: Math.min(...moments), to: Math.max(...moments) };
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

type Read<T> = (frames: readonly string[], receivedMs: number) => Promise<Omit<Heard<T>, "isLive">>;

/** A frame that could not be read, and the moment (Unix ms) at which something is missing for it. */
type WrongFrame = { readonly text: string; readonly wrong: WrongShape; readonly at: number };

/** What so many strangers in a row wrote in a wrong shape, without a right one of their kind, is the venue's doing. */
const VENUES_DOING = 4;
/** Of one of them no more than so many are kept to be parked then. */
const MOST_HELD = 4;
/** No clock of a venue is so far ahead: a place after it would skip what comes until then. */
const FUTURE_MS = 86_400_000;

/** Parses the frames that are needed; those of a wrong shape are parked before anything is given. */
export function createFrameReader<T extends z.ZodType>(
  asking: Asking,
  from: { readonly route: string; readonly path: string },
  frame: T,
  { glance, momentOf, strangerOf }: ListenOptions,
): Read<z.output<T>> {
  const { metrics, stream, raw, host } = asking;
  const park = createFramePark(asking, from);
  const held = new Map<string, { readonly frames: WrongFrame[]; readonly counts: Map<string, number> }>();

  /** Those that are to be parked: at once, or once they cannot be strangers' doing. */
  const judge = (value: unknown, found: WrongFrame): readonly WrongFrame[] => {
    const stranger = strangerOf?.(value);
    if (stranger === undefined) return [found];
    const row = held.get(stranger.kind) ?? { frames: [], counts: new Map<string, number>() };
    held.set(stranger.kind, row);
    if (row.counts.size >= VENUES_DOING) return [found];
    const count = (row.counts.get(stranger.id) ?? 0) + 1;
    row.counts.set(stranger.id, count);
    if (count <= MOST_HELD) row.frames.push(found);
    return row.counts.size >= VENUES_DOING ? row.frames.splice(0) : [];
  };

  return async (frames, receivedMs) => {
    const events: z.output<T>[] = [];
    const wrong: WrongFrame[] = [];
    let span: { from: number; to: number } | undefined;
    let malformed = 0;
    let chars = 0;
    for (const text of frames) {
      chars += text.length;
      if (chars > CHARS_A_TURN) {
        chars = 0;
        await breathe();
      }
      const seen = glance(text);
      // Nothing of it is needed but its moment.
      const isEnough = seen?.isNeeded === false && seen.ms <= receivedMs + FUTURE_MS;
      const value = isEnough ? undefined : parseOrText(text);
      const ms = seen === undefined ? momentOf?.(value) : seen.ms;
      const isAhead = ms !== undefined && ms > receivedMs + FUTURE_MS;
      if (ms !== undefined && !isAhead)
        span = { from: Math.min(span?.from ?? ms, ms), to: Math.max(span?.to ?? ms, ms) };
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
      const body = typeof value === "string" ? text.slice(0, MOST_UNREAD) : text;
      const parking = judge(value, { text: body, wrong: problem, at: isAhead ? receivedMs : (ms ?? receivedMs) });
      if (parking.length === 0) malformed += 1;
      wrong.push(...parking);
    }
    await park(wrong);
    return { events, span, malformed };
  };
}
