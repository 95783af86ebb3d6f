import { setImmediate as breathe } from "node:timers/promises";
import type { Decoded, Session, TableRows } from "../../definition/connector.ts";
import type { Clock } from "../clock.ts";
import { createArrivalQueue, type Arrival, type QueueBounds } from "./arrival-queue.ts";
import { createRowBuffer } from "./row-buffer.ts";

export type PipelineOptions = {
  readonly session: Session;
  readonly clock: Clock;
  /** The clock of all moments that are handed out. */
  readonly venueNow: () => number;
  readonly bounds: QueueBounds;
  /** Stores rows; resolves when they are stored (or given up and written down as lost). */
  readonly store: (rows: readonly TableRows[]) => Promise<void>;
  readonly onBroken: (broken: NonNullable<Decoded["broken"]>, receivedMs: number) => void;
  /** Frames the session wants sent back on its socket. */
  readonly onSend: (frames: readonly string[]) => void;
  readonly onUnreadable: (arrival: Arrival, error: unknown) => void;
  readonly flushMs?: number;
  readonly flushRows?: number;
};

/** From a socket's callback to the store: queue, decode, gather, flush. One a connection. */
export type Pipeline = {
  /** False on overflow: the connection is to be dropped. */
  readonly offer: (arrival: Arrival) => boolean;
  readonly isFull: () => boolean;
  /** Takes nothing more; resolves when all taken is stored. */
  readonly drain: () => Promise<void>;
  /** The moment (Unix ms) up to which all that arrived is stored; now when nothing waits. */
  readonly storedThrough: () => number;
  /** When the last of what arrived and is stored arrived; the start when nothing did. */
  readonly lastStored: () => number;
};

const A_SLICE = 250;
const IDLE_MS = 1000;

export function startPipeline(options: PipelineOptions): Pipeline {
  const { clock, flushMs = 200, flushRows = 5000 } = options;
  const queue = createArrivalQueue(options.bounds);
  const gathered = createGathering(options);
  let rest = new AbortController();

  const isDue = (): boolean => {
    const since = gathered.since();
    if (since === undefined) return false;
    return clock.now() - since >= flushMs || gathered.count() >= flushRows || queue.isClosed();
  };
  const nap = async (): Promise<void> => {
    rest = new AbortController();
    const since = gathered.since();
    const ms = since === undefined ? IDLE_MS : Math.max(1, since + flushMs - clock.now());
    if (queue.size() === 0 && !queue.isClosed()) await clock.sleep(ms, rest.signal).catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    for (;;) {
      const slice = queue.take(A_SLICE);
      for (const arrival of slice) gathered.add(arrival);
      if (isDue()) await gathered.flush();
      else if (slice.length > 0) await breathe();
      else if (queue.isClosed()) return;
      else await nap();
    }
  };

  const running = run();
  return {
    offer: (arrival) => {
      const isTaken = queue.offer(arrival);
      // What is gathered already is flushed by its own timer; an empty pipeline begins with this arrival.
      if (gathered.since() === undefined || !isTaken) rest.abort();
      return isTaken;
    },
    isFull: queue.isFull,
    drain: () => {
      queue.close();
      rest.abort();
      return running;
    },
    storedThrough: () => (queue.size() === 0 && gathered.isEmpty() ? options.venueNow() : gathered.storedThrough()),
    lastStored: gathered.storedThrough,
  };
}

/** Rows decoded and not stored yet, with the marks between them. */
function createGathering({ session, clock, venueNow, store, onBroken, onSend, onUnreadable }: PipelineOptions) {
  const buffer = createRowBuffer();
  let marks: (() => void)[] = [];
  let since: number | undefined;
  let isFlushing = false;
  let storedThrough = venueNow();
  let decodedThrough = storedThrough;
  return {
    add: (arrival: Arrival): void => {
      since ??= clock.now();
      decodedThrough = arrival.receivedMs;
      if (arrival.kind === "mark") {
        marks.push(arrival.reached);
        return;
      }
      try {
        const isFrame = arrival.kind === "frame";
        const decoded = isFrame ? session.decode(arrival.text, arrival.receivedMs) : session.adopt(arrival.state);
        buffer.add(decoded.rows);
        if (decoded.send && decoded.send.length > 0) onSend(decoded.send);
        if (decoded.broken && decoded.broken.length > 0) onBroken(decoded.broken, arrival.receivedMs);
      } catch (error) {
        onUnreadable(arrival, error);
      }
    },
    flush: async (): Promise<void> => {
      const [through, reached] = [decodedThrough, marks];
      marks = [];
      since = undefined;
      isFlushing = true;
      if (buffer.count() > 0) await store(buffer.takeAll());
      isFlushing = false;
      storedThrough = through;
      for (const tell of reached) tell();
    },
    since: () => since,
    count: buffer.count,
    isEmpty: () => since === undefined && !isFlushing,
    storedThrough: () => storedThrough,
  };
}
