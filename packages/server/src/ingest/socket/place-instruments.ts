import { hasLastStates } from "../coverage/followed.ts";
import { assignInstruments, type Plan } from "./change-instruments.ts";
import type { Farewell } from "./farewell.ts";
import type { GapKeeper } from "./gap-keeper.ts";
import type { GroupStore } from "./group-store.ts";
import { startShard, type Shard } from "./shard.ts";
import type { PacedRun } from "./socket-run.ts";

/** Share of all places by which a rank may change before a place is reassigned. */
const EDGE = 0.2;

/**
 * Chooses the instruments of `wanted` (in order of rank) that get one of the places. Near the limit current holders
 * keep theirs, so that small changes of rank move none.
 */
export function choosePlaced(
  wanted: readonly string[],
  placed: ReadonlySet<string>,
  places: number,
): readonly string[] {
  if (wanted.length <= places) return wanted;
  const sure = Math.floor(places * (1 - EDGE));
  const near = wanted.slice(sure, Math.floor(places * (1 + EDGE)));
  const rest = wanted.slice(sure).filter((instrument) => !placed.has(instrument));
  const kept = near.filter((instrument) => placed.has(instrument));
  return [...wanted.slice(0, sure), ...[...kept, ...rest].slice(0, places - sure)];
}

/** The sockets of a stream by number. */
export type Running = {
  readonly shards: Map<number, Shard>;
  readonly store: GroupStore;
  readonly farewell: Farewell;
  next: number;
  retired: Promise<void>[];
};

const LEFT_OUT = "left out";
/**
 * Instrument name in the gap of omitted ones: it concerns none that has a place, and whether one has is known per
 * instrument.
 */
const OTHERS = "others";

/**
 * Adjusts the sockets to the instruments known now; returns whether anything changed. Instruments beyond the sockets'
 * capacity are omitted, and an ongoing gap reports it.
 */
export async function placeInstruments(run: PacedRun, running: Running, gaps: GapKeeper): Promise<boolean> {
  const { connector, watch, log, pace, clock } = run;
  let wanted: readonly string[];
  try {
    const { instruments } = connector;
    wanted = typeof instruments === "string" ? await run.known(instruments) : instruments;
  } catch (error) {
    watch.failed(error, clock.now());
    log.error({ err: error, stream: connector.name }, "instruments could not be fetched; keeping the current ones");
    return false;
  }
  if (wanted.length === 0) {
    // An empty list does not say what to leave: a venue may stop all its markets for a while.
    watch.note = "no instruments are known now";
    return false;
  }
  const chosen = choose(run, running, wanted);
  if (!connector.isEarly) part(run, running, new Set(chosen));
  const plan = assignInstruments(running.shards, chosen, connector.maxInstrumentsPerSocket, pace.maxSockets);
  const leftOut = wanted.length - chosen.length + plan.leftOut;
  watch.note =
    leftOut > 0 ? `${leftOut} instruments are not followed: all ${pace.maxSockets} sockets are full` : undefined;
  if (watch.note === undefined) gaps.close(LEFT_OUT, run.venueNow());
  else gaps.open(LEFT_OUT, { from: run.venueNow(), reason: watch.note, instrument: OTHERS });
  return applyPlan(run, running, gaps, plan);
}

/** Places go to the first of the list. If last states are awaited, holders keep theirs, because leaving takes long. */
function choose({ connector, pace }: PacedRun, { shards }: Running, wanted: readonly string[]): readonly string[] {
  if (hasLastStates(connector)) return wanted;
  const placed = new Set<string>();
  for (const { instruments } of shards.values()) for (const instrument of instruments) placed.add(instrument);
  return choosePlaced(wanted, placed, pace.maxSockets * connector.maxInstrumentsPerSocket);
}

/** Leaves followed instruments no longer wanted: with their last state, or covered up to what is stored now. */
function part(run: PacedRun, { shards, farewell }: Running, wanted: ReadonlySet<string>): void {
  for (const instrument of wanted) farewell.forget(instrument);
  const gone = [...run.followed.held()].filter((instrument) => !wanted.has(instrument));
  for (const instrument of gone) {
    const shard = [...shards.values()].find(({ instruments }) => instruments.has(instrument));
    if (!hasLastStates(run.connector)) {
      run.followed.leave(instrument, shard ? (shard.storedThrough() ?? run.venueNow()) : run.beganFrom());
      continue;
    }
    void farewell.add(instrument, shard?.leave(instrument) ?? Promise.resolve(run.beganFrom()));
    run.followed.leave(instrument);
  }
}

function applyPlan(run: PacedRun, running: Running, gaps: GapKeeper, plan: Plan): boolean {
  const changes = plan.changes.filter(({ added, removed }) => added.length + removed.length > 0);
  for (const { number, added, removed } of changes) running.shards.get(number)?.change(added, removed);
  for (const number of plan.empty) {
    const shard = running.shards.get(number);
    running.shards.delete(number);
    shard?.retire();
    if (shard) running.retired = [...running.retired, shard.ended].slice(-run.pace.maxSockets);
  }
  for (const instruments of plan.fresh) {
    const shard = startShard({ run, number: running.next, first: instruments, gaps, store: running.store });
    running.shards.set(running.next, shard);
    running.next += 1;
  }
  return changes.length + plan.empty.length + plan.fresh.length > 0;
}
