import { join } from "node:path";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import { connectors, derivations, folds } from "../../packages/server/src/catalogue.ts";
import type { Config } from "../../packages/server/src/config.ts";
import { openCheckpointFolder } from "../../packages/server/src/ingest/fold/checkpoints.ts";
import { startIngest, type Ingest } from "../../packages/server/src/ingest/schedule.ts";
import { openIndexes, type Indexes } from "../../packages/server/src/main/open-indexes.ts";
import type { Sessions, Session } from "../../packages/server/src/records/session.ts";
import type { Address } from "../../packages/server/src/store/connection.ts";
import { gatherPast } from "../campaign/gather-past.ts";
import { openLifeStore } from "./life-store.ts";
import { LifeThread } from "./life-thread.ts";
import type { MachineMood } from "./machine-mood.ts";
import type { SimClock } from "./sim-clock.ts";
import { DatabaseError } from "../../packages/server/src/records/records-error.ts";
import { recordsOver } from "../../packages/server/src/records/records.ts";
import type { Worker } from "node:worker_threads";

const RECORDS_MS = 1;
const WRITES = /^\s*(insert|update|delete)\b/i;

/** The records of a service process; `isHeld`: it has the session now, and no other process can have one. */
type LifeRecords = { readonly db: ReturnType<typeof recordsOver>; readonly isHeld: () => boolean };

/**
 * The control records as one process of the service sees them: each statement is a step of its thread. Transactions
 * open when it ends are rolled back, as by a database whose client is gone.
 */
function openLifeRecords(
  shared: Sessions,
  { thread, mood }: { readonly thread: LifeThread; readonly mood: MachineMood },
): LifeRecords {
  const held = new Set<Session>();
  const busy = new Map<Session, Promise<unknown>>();
  const giveUp = async (session: Session): Promise<void> => {
    await busy.get(session)?.catch(() => undefined);
    await session.query("rollback", []).catch(() => undefined);
    session.release();
  };
  thread.onCut(() => {
    for (const session of held) void giveUp(session);
    held.clear();
  });
  const db = recordsOver({
    acquire: async () => {
      await thread.step("before a session");
      const session = await shared.acquire();
      if (!thread.isAlive) session.release();
      else held.add(session);
      await thread.step("behind a session");
      return {
        query: (text, parameters) =>
          thread.over("records", RECORDS_MS, () => {
            if (WRITES.test(text) && mood.isFull())
              return Promise.reject(new DatabaseError("the simulated disk is full", { code: "53100" }));
            const requested = session.query(text, parameters);
            busy.set(session, requested);
            return requested;
          }),
        release: () => {
          if (held.delete(session)) session.release();
        },
      };
    },
    close: () => Promise.resolve(),
  });
  return { db, isHeld: () => held.size > 0 };
}

/** All but those of posts, which a run has none of. */
export const DERIVED = derivations.filter(({ name }) => name !== "social-mentions");

const DAMAGED = "almanac_serving_damaged_total";

export type LifePlace = {
  /** Counts from one. */
  readonly number: number;
  readonly clock: SimClock;
  /** The thread of the serving indexes dies this many ms after the process began. */
  readonly indexDeaths: readonly number[];
  readonly config: Config;
  readonly address: Address;
  readonly hasOwnEngine: boolean;
  readonly sessions: Sessions;
  readonly mood: MachineMood;
  readonly log: Logger;
  readonly pastFromMs: number;
};

/** One process of the service: ingestion, store and serving index, from its start to its kill or the end of the run. */
export type Life = {
  readonly thread: LifeThread;
  readonly ingest: Ingest;
  readonly indexes: Indexes;
  readonly isPastGathered: () => boolean;
  /** Number of its serving index files that it found damaged. */
  readonly damaged: () => Promise<number>;
  /** Advances until it holds nothing that others need, so that time can be paused for them. */
  readonly rest: () => Promise<void>;
  /** Removes what a killed process would no longer hold. */
  readonly bury: () => Promise<void>;
};

export async function beginLife(place: LifePlace): Promise<Life> {
  const { number, clock, config, address, hasOwnEngine, sessions, mood, log, pastFromMs } = place;
  const thread = new LifeThread(clock);
  const { store, ofIndexes } = await openLifeStore(address, { clock, thread, mood, number, hasOwnEngine });
  const { db, isHeld } = openLifeRecords(sessions, { thread, mood });
  const checkpoints = openCheckpointFolder(join(config.dataDir, "checkpoints"));
  const metrics = new Registry();
  const indexes = openIndexes(config, { store: ofIndexes, log, metrics });
  const [never, requested] = [new AbortController(), new AbortController()];
  const ingest = startIngest({
    connectors,
    derivations: DERIVED,
    folds,
    streamsOff: config.streamsOff,
    store,
    records: { db },
    checkpoints,
    settings: config.upstream,
    log,
    metrics: new Registry(),
    clock: thread.clock(mood.now),
    venueNow: mood.now,
    signal: never.signal,
    known: { incomeWallets: config.incomeWallets, incomeHours: config.incomeHours },
    onDerived: store.changed,
  });
  for (const ms of place.indexDeaths) clock.after(ms, () => void (thread.isAlive && killThreads()));
  let isGathered = false;
  thread.onCut(() => requested.abort(new Error("the life ended")));
  void gatherPast({ ingest }, { fromMs: pastFromMs, now: mood.now }, log, requested.signal).then(
    () => (isGathered = true),
  );
  return {
    thread,
    ingest,
    indexes,
    isPastGathered: () => isGathered,
    damaged: async () => {
      const counted = await metrics.getSingleMetric(DAMAGED)?.get();
      if (counted === undefined) throw new Error(`there is no metric ${DAMAGED}`);
      return counted.values.reduce((sum, { value }) => sum + value, 0);
    },
    rest: async () => {
      do await clock.runTo(clock.now() + 1);
      while (isHeld());
    },
    bury: async () => {
      checkpoints.close();
      await killThreads();
      await indexes.close();
    },
  };
}

const threads = new Set<Worker>();

/** Tracks the threads of this process that write serving indexes; call once. */
export function takeThreads(): void {
  process.on("worker", (worker) => {
    threads.add(worker);
    worker.once("exit", () => threads.delete(worker));
  });
}

/** Terminates them wherever they are, as a kill does: uncommitted writes are lost. */
export async function killThreads(): Promise<void> {
  await Promise.all([...threads].map((worker) => worker.terminate()));
}
