import { setImmediate as breathe } from "node:timers/promises";
import type { TableRows } from "../../definition/connector.ts";
import type { Decoded, Session } from "../../definition/session.ts";
import type { Clock } from "../clock.ts";
import type { Echo } from "./echo.ts";
import { createArrivalQueue, type Arrival, type QueueBounds } from "./park-arrival.ts";
import { createRowBuffer } from "./row-buffer.ts";
import { behindAhead, createRowClock, type VenueLead, type WrongTimestamp } from "./row-clock.ts";

/** Range of times of rows that arrived together, Unix ms. */
export type RowSpan = { readonly from: number; readonly to: number };

export type PipelineOptions = {
  readonly session: Session;
  readonly clock: Clock;
  /** The clock of all times passed to callbacks. */
  readonly venueNow: () => number;
  readonly bounds: QueueBounds;
  /** Stores rows; resolves when they are stored (or given up and recorded as lost). */
  readonly store: (rows: readonly TableRows[], span: RowSpan) => Promise<void>;
  /** `from`: the earliest time of a row that may be missing. */
  readonly onBroken: (broken: NonNullable<Decoded["broken"]>, from: number) => void;
  /** Called when a frame or state restores these instruments; the result is called once its rows are stored. */
  readonly onRestored: (instruments: readonly string[]) => () => void;
  /** Called with frames that the session has to send on its socket. */
  readonly onSend: (frames: readonly string[]) => void;
  /** Called immediately: other streams wait for these keys. */
  readonly onAnnounced: (keys: readonly string[]) => void;
  /** `from`: the earliest time of a row that may be missing. */
  readonly onUnreadable: (arrival: Exclude<Arrival, { kind: "mark" }>, error: unknown, from: number) => void;
  /** Called for rows with a wrong time. `from`: the earliest time of a row that may be missing. */
  readonly onWrong: (wrong: WrongTimestamp, from: number) => void;
  readonly lead: VenueLead;
  /** Time up to which everything sent has provably arrived. */
  readonly arrivedThrough: Echo;
  readonly flushMs?: number;
  readonly flushRows?: number;
};

/** From a socket's callback to the store: queue, decode, gather, flush. One per connection. */
export type Pipeline = {
  /** Returns false on overflow: the connection has to be dropped. */
  readonly offer: (arrival: Arrival) => boolean;
  readonly isFull: () => boolean;
  /** Accepts nothing more; resolves when everything accepted is stored. */
  readonly drain: () => Promise<void>;
  /** Row time (Unix ms) up to which everything sent is stored: as of the last arrival, or proven since. */
  readonly storedThrough: () => number;
  /** The same as of the last arrival: later rows may be missing when the connection is over. */
  readonly lastStored: () => number;
  /** Row time as of the last arrival with a row. */
  readonly lastRow: () => number;
  /** Venue time when the last frame with a row arrived. */
  readonly lastReceived: () => number;
  /** Number of queued frames. */
  readonly waiting: () => number;
  /** The latest time of a row that may have been sent by now. */
  readonly latestNow: () => number;
};

const SLICE = 250;
const IDLE_MS = 1000;

export function startPipeline(options: PipelineOptions): Pipeline {
  const { clock, flushMs = 200, flushRows = 5000 } = options;
  const queue = createArrivalQueue(options.bounds);
  const gathered = createGathering(options);
  let rest = new AbortController();

  const isDue = (): boolean => {
    const since = gathered.since();
    if (since === undefined) return false;
    return clock.monotonicMs() - since >= flushMs || gathered.count() >= flushRows || queue.isClosed();
  };
  const pause = async (): Promise<void> => {
    rest = new AbortController();
    const since = gathered.since();
    const ms = since === undefined ? IDLE_MS : Math.max(1, since + flushMs - clock.monotonicMs());
    if (queue.size() === 0 && !queue.isClosed()) await clock.sleep(ms, rest.signal).catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    for (;;) {
      const slice = queue.take(SLICE);
      for (const arrival of slice) gathered.add(arrival);
      if (isDue()) await gathered.flush();
      else if (slice.length > 0) await breathe();
      else if (queue.isClosed()) return;
      else await pause();
    }
  };

  const running = run();
  return {
    offer: (arrival) => {
      const through = options.arrivedThrough();
      const isTaken = queue.offer(arrival.kind === "mark" ? arrival : { ...arrival, through });
      // Rows being gathered are flushed by their own timer; an empty pipeline starts with this arrival.
      if (gathered.since() === undefined || !isTaken) rest.abort();
      return isTaken;
    },
    isFull: queue.isFull,
    drain: () => {
      queue.close();
      rest.abort();
      return running;
    },
    storedThrough: () =>
      queue.size() === 0 && gathered.isEmpty()
        ? Math.max(gathered.storedThrough(), gathered.rowClock.earliest(options.arrivedThrough() ?? 0))
        : gathered.storedThrough(),
    lastStored: gathered.storedThrough,
    lastRow: gathered.lastRow,
    lastReceived: gathered.lastReceived,
    waiting: queue.size,
    latestNow: () => gathered.rowClock.latest(options.venueNow()),
  };
}

/**
 * Time of receipt (Unix ms) up to which everything sent on a connection has been read. A frame whose rows show how late
 * it is proves its own time; after a stall others arrive late unnoticed and prove only what the last ping did.
 */
function createProgress(openedMs: number) {
  let [proven, through] = [openedMs, openedMs];
  return {
    /** Returns the time proven before: rows that are missing were sent after it. */
    prove: (pinged: number | undefined): number => {
      const before = proven;
      proven = pinged ?? proven;
      through = Math.max(through, proven);
      return before;
    },
    read: (receivedMs: number): void => {
      through = Math.max(through, receivedMs);
    },
    through: () => through,
  };
}

const isTimed = ([first]: readonly TableRows[]): boolean =>
  first?.rows[0] !== undefined && first.rows[0]["kind"] !== "snapshot";

/** Rows decoded and not stored yet, with the marks between them. */
function createGathering(options: PipelineOptions) {
  const { session, clock, venueNow, store, onBroken, onRestored, onSend, onAnnounced, onUnreadable, onWrong } = options;
  const buffer = createRowBuffer();
  const rowClock = createRowClock(options.lead);
  let marks: (() => void)[] = [];
  let since: number | undefined;
  let isFlushing = false;
  let storedThrough = venueNow();
  let decodedThrough = storedThrough;
  const progress = createProgress(storedThrough);
  let [firstMs, lastRowMs] = [storedThrough, storedThrough];
  const report = ({ announced, send, broken, restored }: Decoded, before: number): void => {
    if (announced) onAnnounced(announced);
    if (send && send.length > 0) onSend(send);
    if (broken && broken.length > 0) onBroken(broken, rowClock.earliest(before));
    if (restored && restored.length > 0) marks.push(onRestored(restored));
  };
  return {
    rowClock,
    add: (arrival: Arrival): void => {
      if (since === undefined) firstMs = arrival.kind === "mark" ? decodedThrough : arrival.receivedMs;
      since ??= clock.monotonicMs();
      // A mark is internal: it proves nothing about what the venue sent.
      if (arrival.kind === "mark") return void marks.push(arrival.reached);
      const before = progress.prove(arrival.through);
      decodedThrough = arrival.receivedMs;
      try {
        const isFrame = arrival.kind === "frame";
        const decoded = isFrame
          ? session.decode(arrival.text, arrival.receivedMs)
          : session.adopt(arrival.state, arrival.receivedMs);
        buffer.add(behindAhead(decoded.rows, options.lead, arrival.receivedMs));
        const wrong = rowClock.see(decoded.rows, arrival.receivedMs, decoded.venueMs);
        if (wrong !== undefined) onWrong(wrong, rowClock.earliest(before));
        if (isFrame && decoded.rows.length > 0) lastRowMs = arrival.receivedMs;
        if (isFrame && isTimed(decoded.rows)) progress.read(arrival.receivedMs);
        report(decoded, before);
      } catch (error) {
        onUnreadable(arrival, error, rowClock.earliest(before));
      }
    },
    flush: async (): Promise<void> => {
      const [through, reached] = [progress.through(), marks];
      marks = [];
      since = undefined;
      isFlushing = true;
      const span = { from: rowClock.earliest(firstMs), to: rowClock.latest(decodedThrough) };
      if (buffer.count() > 0) await store(buffer.takeAll(), span);
      isFlushing = false;
      storedThrough = through;
      for (const mark of reached) mark();
    },
    since: () => since,
    count: buffer.count,
    isEmpty: () => since === undefined && !isFlushing,
    storedThrough: () => rowClock.earliest(storedThrough),
    lastRow: () => rowClock.earliest(lastRowMs),
    lastReceived: () => lastRowMs,
  };
}
