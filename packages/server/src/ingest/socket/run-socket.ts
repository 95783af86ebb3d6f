import { findStream, saveProgress, saveState } from "../control/stream-record.ts";
import { createGapKeeper, type GapKeeper } from "./gap-keeper.ts";
import { createNoGaps } from "./no-gaps.ts";
import { assignInstruments } from "./assign-instruments.ts";
import { createGroupStore, type GroupStore } from "./group-store.ts";
import { startShard, type Shard } from "./shard.ts";
import { SOCKET_PACE, type PacedRun, type SocketRun } from "./socket-run.ts";

type Running = {
  readonly shards: Map<number, Shard>;
  readonly store: GroupStore;
  next: number;
  retired: Promise<void>[];
};

const START = "start";
const LEFT_OUT = "left out";
const EMPTY_AGAIN_MS = 5000;

/**
 * Runs a socket stream until aborted: its instruments spread over sockets, each kept connected, resynced and stored.
 * Time in which rows may have been missed, the time since the last run included, is written down as a gap.
 */
export async function runSocket(given: SocketRun): Promise<void> {
  const run: PacedRun = { venueNow: given.clock.now, ...given, pace: { ...SOCKET_PACE, ...given.pace } };
  const { connector, clock, signal, watch } = run;
  const gaps = connector.isEarly ? createNoGaps() : createGapKeeper({ ...run, stream: connector.name });
  await begin(run, gaps);
  const running: Running = { shards: new Map(), store: createGroupStore(run), next: 1, retired: [] };
  const saving = saveRegularly(run, running, gaps);
  while (!signal.aborted) {
    await refresh(run, running, gaps);
    const wait = running.shards.size === 0 ? EMPTY_AGAIN_MS : run.pace.refreshSeconds * 1000;
    await clock.sleep(Math.min(wait, run.pace.refreshSeconds * 1000), signal).catch(() => undefined);
  }
  await Promise.all([...running.retired, ...[...running.shards.values()].map(({ ended }) => ended), saving]);
  await gaps.settled();
  watch.state = "stopped";
  await saveState(run.db, connector.name, "stopped", new Date(clock.now())).catch((error: unknown) =>
    run.log.warn({ err: error, stream: connector.name }, "the stream's end could not be written down"),
  );
}

/** What came between the last moment stored by an earlier run and the first sync of this one was missed. */
async function begin({ connector, db, watch, clock, signal, log }: PacedRun, gaps: GapKeeper): Promise<void> {
  while (!signal.aborted) {
    try {
      const saved = await findStream(db, connector.name);
      await gaps.adopt("earlier run");
      watch.reached = saved?.reached?.getTime();
      watch.since = saved?.since?.getTime();
      if (watch.reached !== undefined) {
        gaps.open(START, { from: watch.reached, reason: "the service was not running" });
      }
      return;
    } catch (error) {
      log.error({ err: error, stream: connector.name }, "the stream's record could not be read; trying again");
      await clock.sleep(1000, signal).catch(() => undefined);
    }
  }
}

async function refresh(run: PacedRun, running: Running, gaps: GapKeeper): Promise<void> {
  const { connector, watch, log, pace, clock } = run;
  let wanted: readonly string[];
  try {
    const { instruments } = connector;
    wanted = typeof instruments === "string" ? await run.known(instruments) : instruments;
  } catch (error) {
    watch.errors += 1;
    watch.lastError = error instanceof Error ? error.message : String(error);
    watch.lastErrorAt = clock.now();
    log.error({ err: error, stream: connector.name }, "the instruments could not be asked for; keeping those we have");
    return;
  }
  const plan = assignInstruments(running.shards, wanted, connector.maxInstrumentsPerSocket, pace.maxSockets);
  watch.note = wanted.length === 0 ? "no instruments are known yet" : undefined;
  if (plan.leftOut > 0) {
    watch.note = `${plan.leftOut} instruments are left out: all ${pace.maxSockets} sockets are full`;
    gaps.open(LEFT_OUT, { from: run.venueNow(), reason: watch.note });
  } else gaps.close(LEFT_OUT, run.venueNow());
  for (const { number, added, removed } of plan.changes) {
    if (added.length + removed.length > 0) running.shards.get(number)?.change(added, removed);
  }
  for (const number of plan.empty) {
    const shard = running.shards.get(number);
    running.shards.delete(number);
    shard?.retire();
    if (shard) running.retired = [...running.retired, shard.ended].slice(-pace.maxSockets);
  }
  for (const instruments of plan.fresh) {
    const shard = startShard({ run, number: running.next, first: instruments, gaps, store: running.store });
    running.shards.set(running.next, shard);
    running.next += 1;
  }
}

async function saveRegularly(run: PacedRun, running: Running, gaps: GapKeeper): Promise<void> {
  const { connector, clock, signal, log, db, metrics, watch } = run;
  let savedRows = 0;
  let isLast = false;
  while (!isLast) {
    await clock.sleep(run.pace.saveSeconds * 1000, signal).catch(() => undefined);
    isLast = signal.aborted;
    const shards = [...running.shards.values()];
    if (isLast) await Promise.all(shards.map(({ ended }) => ended));
    else observe(run, shards, gaps);
    const now = clock.now();
    const rows = watch.rowsStored;
    if (watch.reached !== undefined)
      metrics.lag.set({ stream: connector.name }, Math.max(0, (run.venueNow() - watch.reached) / 1000));
    try {
      await saveProgress(
        db,
        connector.name,
        {
          stored: rows - savedRows,
          ...(watch.reached === undefined ? {} : { reached: new Date(watch.reached).toISOString() }),
          ...(watch.since === undefined ? {} : { since: new Date(watch.since).toISOString() }),
          state: watch.state,
        },
        new Date(now),
      );
      savedRows = rows;
    } catch (error) {
      log.error({ err: error, stream: connector.name }, "the stream's progress could not be written down");
    }
  }
}

/** Reads off the sockets how far the stream is; while one is down it does not move. */
function observe({ watch, venueNow }: PacedRun, shards: readonly Shard[], gaps: GapKeeper): void {
  const through = shards.map((shard) => shard.storedThrough());
  const areUp = shards.length > 0 && through.every((moment) => moment !== undefined);
  if (!areUp) {
    watch.state = shards.length === 0 ? "starting" : "failing";
    return;
  }
  const isFirst = watch.reached === undefined || gaps.has(START) || gaps.has("earlier run");
  const areSynced = shards.every((shard) => shard.isSynced());
  if (isFirst && !areSynced) {
    watch.state = "running";
    return;
  }
  const now = venueNow();
  watch.since ??= now;
  watch.reached = Math.max(watch.reached ?? 0, Math.min(now, ...through));
  watch.state = areSynced ? "caught_up" : "running";
  if (areSynced) watch.caughtUpAt = now;
  gaps.close(START, now);
  gaps.close("earlier run", now);
}
