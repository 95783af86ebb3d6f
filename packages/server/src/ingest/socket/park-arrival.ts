import { z } from "zod";
import { wrongShape, type WrongShape } from "../../definition/wrong-shape.ts";
import { parseOrText } from "../feed/frame-reader.ts";
import type { SocketRun } from "./socket-run.ts";
import type { Resynced } from "../../definition/session.ts";

/** Input of a session, in order: frames, states fetched over REST, and marks that signal "up to here". */
export type Arrival =
  | (Received & { readonly kind: "frame"; readonly text: string })
  | (Received & { readonly kind: "state"; readonly state: Resynced })
  | { readonly kind: "mark"; readonly reached: () => void };

type Received = {
  /** Unix ms. */
  readonly receivedMs: number;
  /** Time (Unix ms) up to which everything sent had provably arrived by then. */
  readonly through?: number | undefined;
};

export type ArrivalQueue = {
  /** Returns false when a frame does not fit: from then on nothing is accepted. */
  readonly offer: (arrival: Arrival) => boolean;
  readonly take: (count: number) => readonly Arrival[];
  readonly size: () => number;
  readonly isFull: () => boolean;
  readonly close: () => void;
  readonly isClosed: () => boolean;
};

export type QueueBounds = {
  readonly maxFrames: number;
  /** Limit of all queues that share `waiting`; of this one without it. */
  readonly maxChars: number;
  readonly waiting?: Waiting;
};

/** Total queued in all sockets of a stream. */
export type Waiting = { chars: number };

/** Memory of a frame in addition to its text. */
const FRAME_CHARS = 200;
/** A slice is read without yielding to the event loop, so it contains only few long frames. */
const MAX_CHARS_AT_ONCE = 256 * 1024;

export function createArrivalQueue(bounds: QueueBounds): ArrivalQueue {
  let waiting: Arrival[] = [];
  let taken = 0;
  const { waiting: shared = { chars: 0 } } = bounds;
  let isClosed = false;
  const size = (): number => waiting.length - taken;
  const isFull = (): boolean => size() >= bounds.maxFrames || shared.chars >= bounds.maxChars;
  return {
    offer: (arrival) => {
      if (isClosed) return false;
      if (arrival.kind === "frame") {
        if (isFull()) {
          isClosed = true;
          return false;
        }
        shared.chars += arrival.text.length + FRAME_CHARS;
      }
      waiting.push(arrival);
      return true;
    },
    take: (count) => {
      let chars = 0;
      let end = taken;
      while (end < waiting.length && end - taken < count && chars < MAX_CHARS_AT_ONCE) {
        const arrival = waiting[end];
        if (arrival?.kind === "frame") chars += arrival.text.length + FRAME_CHARS;
        end += 1;
      }
      const slice = waiting.slice(taken, end);
      taken = end;
      shared.chars -= chars;
      if (taken === waiting.length || taken > 10_000) {
        waiting = waiting.slice(taken);
        taken = 0;
      }
      return slice;
    },
    size,
    isFull,
    close: () => {
      isClosed = true;
    },
    isClosed: () => isClosed,
  };
}

/** An unreadable arrival: what was wrong, and the socket's instruments concerned. */
export type Unread = { readonly wrong: WrongShape; readonly instruments: readonly string[] };

/** What is not JSON, or exceeds its bounds, can never be replayed: only its beginning is kept. */
const MAX_UNREAD = 64 * 1024;
const MINUTE_MS = 60_000;
/** If every frame has a wrong shape, some of each minute are as informative as thousands. */
const MAX_PER_MINUTE = 100;
type Minute = { since: number; parked: number; skipped: number };
const minutes = new WeakMap<SocketRun, Minute>();

/** Parks what a session could not read, with the gap it leaves; the session continues. */
export function parkArrival(
  run: SocketRun,
  arrival: Exclude<Arrival, { kind: "mark" }>,
  error: unknown,
  instruments: ReadonlySet<string>,
): Unread {
  const { connector, metrics, log } = run;
  const whole = arrival.kind === "frame" ? arrival.text : JSON.stringify(arrival.state);
  const value = parseOrText(whole);
  const body = typeof value === "string" ? whole.slice(0, MAX_UNREAD) : whole;
  const wrong =
    error instanceof z.core.$ZodError
      ? wrongShape(error, value)
      : { field: "(the whole frame)", problem: String(error).slice(0, 300), sample: body.slice(0, 200) };
  const about = arrival.kind === "state" ? [arrival.state.instrument] : namedIn(body, value, instruments);
  metrics.frames.inc({ stream: connector.name, outcome: "unreadable" });
  metrics.changed.inc({ host: connector.host.name, route: "socket", stream: connector.name });
  if (isKept(run)) {
    log.error({ event: "upstream_changed", err: error, stream: connector.name, ...wrong }, "upstream_changed");
    park(run, { ...wrong, body }, { at: arrival.receivedMs, about });
  } else metrics.frames.inc({ stream: connector.name, outcome: "unparked" });
  return { wrong, instruments: about };
}

function park(
  run: SocketRun,
  what: WrongShape & { body: string },
  { at, about }: { at: number; about: string[] },
): void {
  const { connector, log } = run;
  const page = { stream: connector.name, host: connector.host.name, route: "socket", path: connector.path };
  const missing = connector.isEarly ? {} : { missing: { from: at, to: at, instruments: about } };
  run
    .park({ ...page, ...what, ...missing })
    .catch((failure: unknown) => log.error({ err: failure, stream: connector.name }, "a frame could not be parked"));
}

/** Whether another one fits into this minute; skipped ones are reported once the minute is over. */
function isKept(run: SocketRun): boolean {
  const now = run.clock.monotonicMs();
  const minute = minutes.get(run);
  if (minute === undefined || now - minute.since >= MINUTE_MS) {
    if (minute && minute.skipped > 0) reportSkipped(run, minute.skipped);
    minutes.set(run, { since: now, parked: 1, skipped: 0 });
    return true;
  }
  if (minute.parked >= MAX_PER_MINUTE) {
    minute.skipped += 1;
    return false;
  }
  minute.parked += 1;
  return true;
}

function reportSkipped({ connector, db, log, clock }: SocketRun, count: number): void {
  const text = "Frames of unexpected shape beyond 100 a minute were not kept; their time is in gaps";
  log.error({ stream: connector.name, count }, text);
  db.insertInto("notices")
    .values({ stream: connector.name, kind: "upstream_changed", text, count, noticed_at: new Date(clock.now()) })
    .execute()
    .catch((error: unknown) => log.error({ err: error, stream: connector.name }, "a notice could not be recorded"));
}

/** Searching a longer frame for hundreds of names takes too long. */
const MAX_SEARCHED = 256 * 1024;

/** The instruments named in a frame; all of the socket if it names none, is long, or may have lost names. */
function namedIn(text: string, value: unknown, instruments: ReadonlySet<string>): string[] {
  const all = [...instruments];
  if (typeof value !== "object" || value === null || text.length > MAX_SEARCHED) return all;
  const named = all.filter((instrument) => text.includes(JSON.stringify(instrument)));
  return named.length > 0 ? named : all;
}
