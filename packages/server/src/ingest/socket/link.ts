import type { Decoded, Session } from "../../definition/connector.ts";
import { openConnection, type Connection } from "./connection.ts";
import { watchFreeze, type FreezeWatch } from "./freeze-watch.ts";
import type { GapKeeper } from "./gap-keeper.ts";
import type { GroupStore } from "./group-store.ts";
import { parkArrival } from "./park-arrival.ts";
import { startPipeline, type Pipeline, type PipelineOptions, type RowSpan } from "./pipeline.ts";
import { createResyncer, type Resyncer } from "./resyncer.ts";
import type { PacedRun } from "./socket-run.ts";

export type LinkOptions = {
  readonly run: PacedRun;
  /** The key of the gap of the whole socket. */
  readonly key: string;
  /** The instruments of the socket; kept by the shard. */
  readonly instruments: ReadonlySet<string>;
  readonly gaps: GapKeeper;
  readonly store: GroupStore;
};

/** One connection with its session, its pipeline to the store and its resyncs, from open to end. */
export type Link = {
  readonly change: (added: readonly string[], removed: readonly string[]) => void;
  readonly isSynced: () => boolean;
  readonly storedThrough: () => number;
  readonly end: (reason: string) => void;
  /** Resolves when it has ended and all it brought is stored: why, and when the last of it arrived (Unix ms). */
  readonly ended: Promise<{ readonly reason: string; readonly from: number }>;
};

const MOST_INSTRUMENT_GAPS = 100;
const OVERFLOW = "overflow: frames came faster than they could be stored";

/** Connects, subscribes and asks for the first states. Throws when the socket does not open. */
export async function openLink({ run, key, instruments, gaps, store }: LinkOptions): Promise<Link> {
  const { connector, metrics } = run;
  const session = connector.session();
  const unsynced = new Set(instruments);
  const unread = new Set<string>();
  let resyncer: Resyncer | undefined;
  let connection: Connection | undefined;
  let isOver = false;

  const onBroken = (broken: NonNullable<Decoded["broken"]>, lastGood: number): void => {
    metrics.frames.inc({ stream: connector.name, outcome: "broken" }, broken.length);
    const ours = broken.filter(({ instrument }) => instruments.has(instrument));
    for (const { instrument, reason, since = lastGood } of ours) {
      unsynced.add(instrument);
      const from = Math.min(since, lastGood);
      const isOne = gaps.count() < MOST_INSTRUMENT_GAPS;
      if (isOne) gaps.open(`instrument ${instrument}`, { from, reason, instrument });
      else gaps.open(key, { from, reason });
    }
    resyncer?.want(ours.map(({ instrument }) => instrument));
  };
  const onRestored = (synced: readonly string[]): void => {
    const to = pipeline.latestNow();
    for (const instrument of synced) {
      unsynced.delete(instrument);
      gaps.close(`instrument ${instrument}`, to);
    }
    run.followed.note(synced, to);
    if (unsynced.size === 0 && !isOver) gaps.close(key, to);
  };
  const onSynced = (synced: readonly string[]): void => {
    onRestored(synced.filter((instrument) => session.isWhole?.(instrument) !== false && !unread.has(instrument)));
    for (const instrument of synced) unread.delete(instrument);
  };
  const onUnreadable: PipelineOptions["onUnreadable"] = (arrival, error, from) => {
    const { wrong, instruments: about } = parkArrival(run, arrival, error, instruments);
    if (connector.isEarly) return;
    // A fetched state that cannot be read makes nothing whole, though it came.
    if (arrival.kind === "state") for (const instrument of about) unread.add(instrument);
    const reason = `upstream changed: ${wrong.field}: ${wrong.problem}`;
    const broken = about.map((instrument) => ({ instrument, reason }));
    onBroken(broken, from);
  };

  const onSend = (frames: readonly string[]): void => {
    for (const frame of frames) connection?.send(frame);
  };
  const pipeline = openPipeline({ run, key, gaps, store }, { session, onBroken, onRestored, onSend, onUnreadable });
  connection = await connect(run, pipeline, () => connection?.end(OVERFLOW));
  resyncer = createResyncer(run, pipeline, onSynced);
  for (const frame of session.subscribe([...instruments])) connection.send(frame);
  resyncer.want([...instruments]);

  return {
    change: (added, removed) => change({ session, connection, resyncer, unsynced }, added, removed),
    isSynced: () => unsynced.size === 0 && !isOver,
    storedThrough: pipeline.storedThrough,
    end: connection.end,
    ended: hold({ run, session, instruments }, connection, pipeline, resyncer, () => {
      isOver = true;
    }),
  };
}

async function hold(
  of: Pick<FreezeWatch, "run" | "session" | "instruments">,
  connection: Connection,
  pipeline: Pipeline,
  resyncer: Resyncer,
  onOver: () => void,
): Promise<{ reason: string; from: number }> {
  const over = new AbortController();
  const resyncing = resyncer.run(over.signal);
  let isFrozen = false;
  const onFrozen = (why: string): void => {
    isFrozen = true;
    connection.end(why);
  };
  const watching = watchFreeze({ ...of, waiting: pipeline.waiting, signal: over.signal, onFrozen });
  const reason = await connection.closed;
  onOver();
  over.abort(new Error("the socket ended"));
  const [, , from] = await Promise.all([resyncing, watching, pipeline.drain().then(pipeline.lastStored)]);
  // What a frozen socket still answered says nothing of rows.
  return { reason, from: isFrozen ? Math.min(from, pipeline.lastRow()) : from };
}

function change(
  link: { session: Session; connection: Connection | undefined; resyncer: Resyncer | undefined; unsynced: Set<string> },
  added: readonly string[],
  removed: readonly string[],
): void {
  const { session, connection, resyncer, unsynced } = link;
  resyncer?.forget(removed);
  for (const instrument of removed) unsynced.delete(instrument);
  for (const frame of removed.length > 0 ? session.unsubscribe(removed) : []) connection?.send(frame);
  for (const instrument of added) unsynced.add(instrument);
  for (const frame of added.length > 0 ? session.subscribe(added) : []) connection?.send(frame);
  resyncer?.want(added);
}

function openPipeline(
  { run, key, gaps, store }: Pick<LinkOptions, "run" | "key" | "gaps" | "store">,
  session: Pick<PipelineOptions, "session" | "onBroken" | "onRestored" | "onSend" | "onUnreadable">,
): Pipeline {
  const { clock, venueNow, pace } = run;
  let lost = 0;
  const onLost = (reason: string, { from, to }: RowSpan): void => {
    lost += 1;
    const what = `lost ${key} ${venueNow()} ${lost}`;
    gaps.open(what, { from, reason });
    gaps.close(what, to);
  };
  return startPipeline({
    ...session,
    clock,
    venueNow,
    bounds: { ...pace, waiting: run.waiting },
    flushMs: pace.gatherMs,
    flushRows: pace.flushRows,
    store: (rows, span) => store(rows, (reason) => onLost(reason, span)),
  });
}

async function connect(run: LinkOptions["run"], pipeline: Pipeline, onOverflow: () => void): Promise<Connection> {
  const { connector, clock, metrics, pace } = run;
  try {
    return await openConnection({
      url: socketUrl(run.baseUrl, connector.path),
      headers: { ...connector.host.headers, ...connector.headers?.(run.settings, clock.now()) },
      clock,
      handshakeMs: pace.handshakeMs,
      maxPayloadBytes: pace.maxPayloadBytes,
      silentAfterMs: connector.silentAfterSeconds * 1000,
      isData: connector.isData,
      ...(connector.heartbeat ? { heartbeat: connector.heartbeat } : {}),
      onFrame: (text) => {
        metrics.frames.inc({ stream: connector.name, outcome: "received" });
        const of = { host: connector.host.name, stream: connector.name, path: connector.path };
        run.raw?.keep({ ...of, route: "socket", status: 0, kind: "frame", body: text });
        if (!pipeline.offer({ kind: "frame", text, receivedMs: run.venueNow() })) onOverflow();
      },
    });
  } catch (error) {
    await pipeline.drain();
    throw error;
  }
}

/** Settings hold the bare host or the whole address. */
function socketUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  return base.endsWith(path.replace(/\/+$/, "")) ? base : `${base}${path}`;
}
