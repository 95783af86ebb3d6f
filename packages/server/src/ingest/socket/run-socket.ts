import { findLastGapEnd } from "../control/gap-record.ts";
import { findStream, saveProgress, saveState } from "../control/save-batch.ts";
import { hasLastStates } from "../coverage/followed.ts";
import { type ClockStep, createClockSteps } from "./clock-steps.ts";
import { createFarewell } from "./farewell.ts";
import { createFollowLog } from "./follow-log.ts";
import { createGapKeeper, type GapKeeper } from "./gap-keeper.ts";
import { createGroupStore } from "./group-store.ts";
import { placeInstruments, type Running } from "./place-instruments.ts";
import { AHEAD, BACK, SOCKET_PACE, STAMPED_AHEAD, type PacedRun, type SocketRun } from "./socket-run.ts";
import type { Shard } from "./shard.ts";

/** Key of the gap between the last run of the service and the first sync of this one. */
const START = "start";
/** Key of gaps left open by an earlier run. */
const EARLIER = "earlier run";
/** Key of the gap from when the machine's clock was set to the next sync. */
const STEP = "clock";
/** Key of the gap between a stream's start by a slow clock and by the right one. */
const SINCE = "since";
/** While one of these gaps is open, the stream's watermark needs all sockets to be synced. */
const OF_ALL = [START, EARLIER, STEP];

/**
 * Updates the stream's watermark from its sockets; it is paused while one is down. After the first sync, a socket for
 * newly known markets counts only from its first connection.
 */
function observeShards({ watch, venueNow }: PacedRun, all: readonly Shard[], gaps: GapKeeper): void {
  const isFirst = watch.reached === undefined || OF_ALL.some(gaps.has);
  const shards = isFirst ? all : all.filter((shard) => shard.hasStood());
  const through = shards.map((shard) => shard.storedThrough());
  const areUp = shards.length > 0 && through.every((timestamp) => timestamp !== undefined);
  if (!areUp) {
    if (shards.length === 0) watch.state = "starting";
    else if (shards.some((shard, index) => through[index] === undefined && shard.isDown())) watch.state = "failing";
    return;
  }
  const areSynced = all.every((shard) => shard.isSynced());
  if (isFirst && !areSynced) {
    watch.state = "running";
    return;
  }
  const now = venueNow();
  watch.since ??= now;
  watch.reached = Math.max(watch.reached ?? watch.since, Math.min(now, ...through));
  watch.state = areSynced ? "caught_up" : "running";
  if (areSynced) watch.caughtUpAt = now;
  for (const key of OF_ALL) gaps.close(key, now);
}

/**
 * Rows that the venue stamped ahead sort after later rows: once that time is past, states are fetched again. The same
 * happens once a clock that was set back is right again, because changes made meanwhile sort too early.
 */
function renewStates({ lead, venueNow }: PacedRun, shards: readonly Shard[], gaps: GapKeeper): void {
  const now = venueNow();
  const renew = (key: string, where: string): void => {
    for (const shard of shards) shard.renew(`the venue's clock had jumped ${where}; all states are fetched again`);
    gaps.close(key, now);
  };
  const isPast = lead.aheadTo !== undefined && now > lead.aheadTo;
  if (isPast || (lead.waitTo !== undefined && now > lead.waitTo)) {
    if (isPast) lead.aheadTo = undefined;
    lead.waitTo = undefined;
    renew(AHEAD, "ahead");
  }
  if (lead.back?.isOver) {
    lead.back = undefined;
    renew(BACK, "back");
  }
}

const SOON_MS = 5000;
const OBSERVE_MS = 250;

/**
 * Runs a socket stream until aborted: its instruments are distributed over sockets, each kept connected, resynced and
 * stored. Time in which rows may have been missed, including since the last run, is recorded as a gap.
 */
export async function runSocket(given: SocketRun): Promise<void> {
  let began = 0;
  const steps = createClockSteps(given.clock, given.venueNow ?? given.clock.now);
  const run: PacedRun = {
    ...given,
    venueNow: steps.venueNow,
    onClockStep: steps.onStep,
    lead: { usualMs: 0 },
    pace: { ...SOCKET_PACE, ...given.pace },
    waiting: { chars: 0 },
    beganFrom: () => began,
    followed: createFollowLog({ ...given, stream: given.connector.name, isRestarted: !hasLastStates(given.connector) }),
  };
  const { connector, clock, signal, watch } = run;
  const gaps = connector.isEarly ? createNoGaps() : createGapKeeper({ ...run, stream: connector.name });
  await begin(run, gaps);
  began = provenMs(run) ?? run.venueNow();
  if (run.watch.reached !== undefined) gaps.open(START, { from: began, reason: "the service was not running" });
  const isFirst = run.watch.since === undefined;
  if (connector.resyncHost !== undefined) await findAhead(run, gaps);
  steps.onStep((step) => distrust(run, gaps, step, isFirst));
  const store = createGroupStore(run);
  const farewell = createFarewell(run, gaps, store);
  const running: Running = { shards: new Map(), store, farewell, next: 1, retired: [] };
  const parting = hasLastStates(connector) ? farewell.run() : undefined;
  const saving = saveRegularly(run, running, gaps);
  while (!signal.aborted) {
    const hasChanged = await placeInstruments(run, running, gaps);
    // During the first walk of the catalogue, markets become known by the hundred.
    const wait = hasChanged || running.shards.size === 0 ? SOON_MS : run.pace.refreshSeconds * 1000;
    await clock.sleep(Math.min(wait, run.pace.refreshSeconds * 1000), signal).catch(() => undefined);
  }
  await Promise.all([...running.retired, ...[...running.shards.values()].map(({ ended }) => ended), saving, parting]);
  await gaps.settled();
  watch.state = "stopped";
  await saveState(run.db, connector.name, "stopped", new Date(clock.now())).catch((error: unknown) =>
    run.log.warn({ err: error, stream: connector.name }, "the stream's end could not be recorded"),
  );
}

/**
 * Handles a clock step, after which sockets reopen. Gaps that began by a fast clock really began earlier; those that
 * ended by a slow one ended later, and coverage that a stream's first run (`isFirst`) began by it starts later.
 */
function distrust(
  { watch, log, connector, followed }: PacedRun,
  gaps: GapKeeper,
  { from, byMs, setMs }: ClockStep,
  isFirst: boolean,
): void {
  const why = setMs === 0 ? "the machine slept for" : "the machine's clock was set by";
  const reason = `${why} ${((setMs === 0 ? byMs : setMs) / 1000).toFixed(1)} s`;
  log.warn({ stream: connector.name, reason }, "the machine's clock jumped; that time is a gap");
  if (watch.reached === undefined) return;
  watch.reached = Math.min(watch.reached, from);
  const began = (gaps.earliest() ?? from) + Math.min(0, setMs);
  if (setMs > 0) {
    gaps.correct({ byMs: setMs, until: from });
    followed.correct({ byMs: setMs, until: from });
    if (isFirst && watch.since !== undefined) {
      gaps.open(SINCE, { from: watch.since, reason });
      gaps.close(SINCE, Math.min(from, watch.since + setMs));
    }
  }
  gaps.open(STEP, { from: Math.min(from, began), reason });
}

/** Restores the record: anything between an earlier run's last stored time and this run's first sync was missed. */
async function begin(run: PacedRun, gaps: GapKeeper): Promise<void> {
  const { connector, db, watch, clock, signal, log, followed } = run;
  while (!signal.aborted) {
    try {
      const saved = await findStream(db, connector.name);
      await gaps.adopt(EARLIER);
      if (!connector.isEarly) await followed.adopt();
      watch.reached = await reachedBefore(db, connector.name, saved?.reached?.getTime(), run.venueNow());
      watch.since = saved?.since?.getTime();
      return;
    } catch (error) {
      log.error({ err: error, stream: connector.name }, "the stream's record could not be read; retrying");
      await clock.sleep(1000, signal).catch(() => undefined);
    }
  }
}

/** The earlier run's watermark. A run with a fast clock knew nothing after its last gap, in which that was noticed. */
async function reachedBefore(
  db: PacedRun["db"],
  stream: string,
  reached: number | undefined,
  now: number,
): Promise<number | undefined> {
  if (reached === undefined || reached <= now) return reached;
  return Math.min(now, (await findLastGapEnd(db, stream))?.getTime() ?? now);
}

/** Finds rows that an earlier run stored with times after now. From then on they hide newer rows that sort before them. */
async function findAhead({ connector, known, lead, venueNow, log, clock, signal }: PacedRun, gaps: GapKeeper) {
  while (!signal.aborted) {
    try {
      const [from, to] = await known("book_times_ahead", [connector.venue]);
      if (!(Number(to) > venueNow())) return;
      lead.aheadTo = Number(to);
      lead.latestAheadMs = lead.aheadTo;
      gaps.open(AHEAD, { from: Number(from), reason: STAMPED_AHEAD });
      return;
    } catch (error) {
      log.error({ err: error, stream: connector.name }, "rows stored ahead of now could not be found; retrying");
      await clock.sleep(1000, signal).catch(() => undefined);
    }
  }
}

/** The proven watermark: losses after the last comparison with the venue's states can no longer be detected. */
function provenMs({ connector, watch: { reached, since } }: PacedRun): number | undefined {
  if (reached === undefined) return undefined;
  return Math.max(reached - 2000 * (connector.compareSeconds ?? 0), Math.min(since ?? 0, reached));
}

async function saveRegularly(run: PacedRun, running: Running, gaps: GapKeeper): Promise<void> {
  const { connector, clock, signal, log, db, metrics, watch } = run;
  let savedRows = 0;
  let isLast = false;
  let savedAt = Number.NEGATIVE_INFINITY;
  while (!isLast) {
    await clock.sleep(Math.min(OBSERVE_MS, run.pace.saveSeconds * 1000), signal).catch(() => undefined);
    isLast = signal.aborted;
    const shards = [...running.shards.values()];
    if (isLast) await Promise.all(shards.map(({ ended }) => ended));
    else observeShards(run, shards, gaps);
    renewStates(run, shards, gaps);
    if (!isLast && clock.monotonicMs() - savedAt < run.pace.saveSeconds * 1000) continue;
    savedAt = clock.monotonicMs();
    const now = clock.now();
    const { rowsStored: rows, reached, since, state } = watch;
    if (watch.reached !== undefined)
      metrics.lag.set({ stream: connector.name }, Math.max(0, (run.venueNow() - watch.reached) / 1000));
    // `reached` passes a gap only once the gap is recorded: otherwise a kill between the two would hide it forever.
    const isWritten = await gaps.settled();
    try {
      await saveProgress(
        db,
        connector.name,
        {
          stored: rows - savedRows,
          ...(reached === undefined || !isWritten ? {} : { reached: new Date(reached).toISOString() }),
          ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
          state,
        },
        new Date(now),
      );
      savedRows = rows;
    } catch (error) {
      log.error({ err: error, stream: connector.name }, "the stream's progress could not be recorded");
    }
  }
}

/** For a stream whose rows other streams bring completely: its downtime is shown in its status and is no gap. */
function createNoGaps(): GapKeeper {
  return {
    open: () => undefined,
    close: () => undefined,
    has: () => false,
    earliest: () => undefined,
    count: () => 0,
    correct: () => undefined,
    adopt: async () => undefined,
    settled: async () => true,
  };
}
