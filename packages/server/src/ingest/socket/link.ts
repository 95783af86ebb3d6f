import { createInstrumentChanges, type InstrumentChanges } from "./change-instruments.ts";
import { openConnection, type Connection, socketUrl } from "./connection.ts";
import type { Echo } from "./echo.ts";
import type { GapKeeper } from "./gap-keeper.ts";
import type { GroupStore } from "./group-store.ts";
import { startPipeline, type Pipeline, type PipelineOptions, type RowSpan } from "./pipeline.ts";
import { createResyncer, type Resyncer } from "./resyncer.ts";
import { noteAhead } from "./row-clock.ts";
import { AHEAD, BACK, type PacedRun, STAMPED_AHEAD } from "./socket-run.ts";
import { createTrust, type Trust } from "./trust.ts";
import { type StateWatch, watchStates } from "./watch-states.ts";

export type LinkOptions = {
  readonly run: PacedRun;
  /** Key of the gap of the entire socket. */
  readonly key: string;
  /** The socket's instruments; maintained by the shard. */
  readonly instruments: ReadonlySet<string>;
  readonly gaps: GapKeeper;
  readonly store: GroupStore;
};

/** One connection with its session, pipeline to the store and resyncs, from open to end. */
export type Link = {
  readonly change: InstrumentChanges["change"];
  readonly leave: InstrumentChanges["leave"];
  readonly isSynced: () => boolean;
  /** Undefined once it has to end. */
  readonly storedThrough: () => number | undefined;
  readonly end: (reason: string) => void;
  /** Resolves when it has ended and all it brought is stored. */
  readonly ended: Promise<LinkEnd>;
};

export type LinkEnd = {
  readonly reason: string;
  /** When the last of what it brought arrived (Unix ms). */
  readonly from: number;
  /** Whether it ended for want of data although the venue still answered, and no other stream brought any. */
  readonly wasQuiet: boolean;
};

const STEPPED = "the machine's clock jumped";
const OVERFLOW = "overflow: frames arrived faster than they could be stored";

/** Connects, subscribes and requests the first states. Throws when the socket does not open. */
export async function openLink({ run, key, instruments, gaps, store }: LinkOptions): Promise<Link> {
  const session = run.connector.session();
  let resyncer: Resyncer | undefined;
  let connection: Connection | undefined;
  const trust: Trust = createTrust({
    run,
    key,
    instruments,
    gaps,
    session,
    pipeline: () => pipeline,
    want: (wanted) => resyncer?.want(wanted),
  });
  const onSend = (frames: readonly string[]): void => {
    for (const frame of frames) connection?.send(frame);
  };
  const arrivedThrough: Echo = () => connection?.arrivedThrough();
  const pipeline = openPipeline({ run, key, gaps, store }, { session, ...trust, onSend, arrivedThrough });
  /** Time from which it is not trusted and has to end; infinite while it is. */
  let distrustedFrom = Number.POSITIVE_INFINITY;
  const isDistrusted = (): boolean => distrustedFrom < Number.POSITIVE_INFINITY;
  const forget = run.onClockStep(({ from }) => {
    distrustedFrom = Math.min(distrustedFrom, from);
    connection?.end(STEPPED);
  });
  connection = await connect(run, pipeline, () => connection?.end(OVERFLOW)).catch((error: unknown) => {
    forget();
    throw error;
  });
  if (isDistrusted()) connection.end(STEPPED);
  resyncer = createResyncer(run, pipeline, trust.onSynced);
  const changes = createInstrumentChanges({ session, connection, pipeline, resyncer, trust });
  changes.change([...instruments], []);

  return {
    ...changes,
    isSynced: trust.isWhole,
    storedThrough: () => (isDistrusted() ? undefined : pipeline.storedThrough()),
    end: connection.end,
    ended: hold({ run, session, instruments }, connection, pipeline, resyncer, trust)
      .then((end) => ({ ...end, from: Math.min(end.from, distrustedFrom) }))
      .finally(forget),
  };
}

async function hold(
  of: Pick<StateWatch, "run" | "session" | "instruments">,
  connection: Connection,
  pipeline: Pipeline,
  resyncer: Resyncer,
  { onMissed, end }: Trust,
): Promise<LinkEnd> {
  const over = new AbortController();
  const resyncing = resyncer.run(over.signal);
  let isFrozen = false;
  const onFrozen = (why: string): void => {
    isFrozen = true;
    connection.end(why);
  };
  // Before the first comparison, each state is as reliable as the fetched one.
  let comparedMs = of.run.connector.compareSeconds === undefined ? Number.POSITIVE_INFINITY : pipeline.lastStored();
  const onCompared = (requestedMs: number): void => {
    comparedMs = Math.min(requestedMs, of.session.lastMessageMs?.() ?? requestedMs);
  };
  const { waiting, lastReceived } = pipeline;
  const watching = watchStates({
    ...of,
    waiting,
    lastReceived,
    signal: over.signal,
    onFrozen,
    onCompared,
    onMissed,
  });
  const reason = await connection.closed;
  end();
  over.abort(new Error("the socket ended"));
  const [, , from] = await Promise.all([resyncing, watching, pipeline.drain().then(pipeline.lastStored)]);
  const { connector, wakes, clock } = of.run;
  const missedMs = clock.monotonicMs() - (wakes?.missedAt(connector.name) ?? Number.NEGATIVE_INFINITY);
  // A frozen socket's last frames prove nothing about rows; a lost message would have shown in the next comparison.
  return {
    reason,
    from: Math.min(from, comparedMs, isFrozen ? pipeline.lastRow() : from),
    wasQuiet: connection.wasQuiet() && missedMs > connector.silentAfterSeconds * 1000,
  };
}

/** After a venue's clock went back, another connection's first row may precede the first one seen by this much. */
const BACK_APART_MS = 2000;

function openPipeline(
  { run, key, gaps, store }: Pick<LinkOptions, "run" | "key" | "gaps" | "store">,
  session: Pick<PipelineOptions, "session" | "onBroken" | "onRestored" | "onSend" | "onUnreadable" | "arrivedThrough">,
): Pipeline {
  const { clock, venueNow, pace, lead } = run;
  let lost = 0;
  const onLost = (reason: string, { from, to }: RowSpan): void => {
    lost += 1;
    const what = `lost ${key} ${venueNow()} ${lost}`;
    gaps.open(what, { from, reason });
    gaps.close(what, to);
  };
  return startPipeline({
    ...session,
    lead,
    onWrong: ({ is, timestamp }, from) => {
      if (is === "back") {
        gaps.open(BACK, { from: timestamp - BACK_APART_MS, reason: "the venue's clock went back" });
        return;
      }
      noteAhead(lead, timestamp, venueNow());
      gaps.open(AHEAD, { from, reason: STAMPED_AHEAD });
    },
    clock,
    venueNow,
    bounds: { ...pace, waiting: run.waiting },
    flushMs: pace.gatherMs,
    flushRows: pace.flushRows,
    onAnnounced: (keys) => run.wakes?.receive(run.connector.name, keys),
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
      venueNow: run.venueNow,
      handshakeMs: pace.handshakeMs,
      maxPayloadBytes: connector.host.maxBytes ?? pace.maxPayloadBytes,
      silentAfterMs: connector.silentAfterSeconds * 1000,
      echoMs: pace.echoMs,
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
