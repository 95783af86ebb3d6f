import type { TableRows } from "../../definition/connector.ts";
import { createRowBuffer } from "./row-buffer.ts";
import type { PacedRun, SocketRun } from "./socket-run.ts";
import { StoreError } from "../../store/statement.ts";
import { backoffMs } from "../clock.ts";

const TRIES_REFUSED = 3;
const TRIES_STOPPING = 2;

/**
 * Stores rows from sockets. Waits for a store that is unavailable, full or busy; rows it permanently refuses are parked
 * entirely and reported to `onLost`. When the service stops while the store is unavailable they are lost: `onLost` too.
 * With `onRefused`, refused rows are neither parked nor lost: it is called instead.
 */
async function storeRows(
  run: PacedRun,
  given: readonly TableRows[],
  onLost: (reason: string) => void,
  onRefused?: () => void,
): Promise<void> {
  const { connector, write, watch, clock, pace } = run;
  for (const rows of given) {
    for (let tried = 1; ; tried += 1) {
      try {
        const { stored } = await write(connector.name, rows);
        watch.stored(stored, clock.now());
        break;
      } catch (error) {
        report(run, error, tried);
        const isRefused = !(error instanceof StoreError) || error.kind === "failed";
        if (isRefused && onRefused) {
          onRefused();
          break;
        }
        if (isRefused && tried >= TRIES_REFUSED) {
          await parkRows(run, rows, error);
          onLost(`the store refused ${rows.rows.length} rows of ${rows.table.name}; they are parked`);
          break;
        }
        if (run.signal.aborted && tried >= TRIES_STOPPING) {
          onLost(`the service stopped while the store was unavailable; ${rows.rows.length} rows of ${rows.table.name}`);
          break;
        }
        await clock.sleep(backoffMs(tried, pace.storeAgain));
      }
    }
  }
}

function report({ connector, watch, clock, metrics, log }: SocketRun, error: unknown, tried: number): void {
  watch.failed(error, clock.now());
  metrics.errors.inc({ stream: connector.name });
  log.error({ err: error, stream: connector.name, tried }, "rows could not be stored yet");
}

async function parkRows({ connector, park, log }: SocketRun, rows: TableRows, error: unknown): Promise<void> {
  try {
    await park({
      stream: connector.name,
      host: connector.host.name,
      route: "rows",
      path: rows.table.name,
      problem: "the store refused these rows",
      field: "(rows)",
      sample: (error instanceof Error ? error.message : String(error)).slice(0, 200),
      body: JSON.stringify(rows.rows),
    });
  } catch (failure) {
    log.error({ err: failure, stream: connector.name }, "refused rows could not be parked");
  }
}

type OnLost = (reason: string) => void;
type Part = { readonly rows: readonly TableRows[]; readonly onLost: OnLost; readonly stored: () => void };

/** Resolves when these rows are stored, or given up and reported to `onLost`. */
export type GroupStore = (rows: readonly TableRows[], onLost: OnLost) => Promise<void>;

/** Maximum share of the time spent storing, so that a slow store gets fewer and larger inserts. */
const BUSY_SHARE = 0.5;

/**
 * A shared path to the store for all sockets of a stream: what they bring meanwhile becomes one insert per table, since
 * an insert costs about the same for ten rows as for a thousand. New rows are taken only after the previous ones are
 * stored, so at most one flush of every socket waits here.
 */
export function createGroupStore(run: PacedRun): GroupStore {
  const { clock, pace, signal } = run;
  let waiting: Part[] = [];
  let isWorking = false;
  let startsAt = 0;

  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      // There is no wait once the service stops.
      await clock.sleep(Math.max(0, startsAt - clock.monotonicMs()), signal).catch(() => undefined);
      const parts = waiting;
      waiting = [];
      const began = clock.monotonicMs();
      await storeParts(run, parts);
      const took = clock.monotonicMs() - began;
      startsAt = Math.max(began + pace.flushMs, clock.monotonicMs() + took * (1 / BUSY_SHARE - 1));
      for (const { stored } of parts) stored();
    }
    isWorking = false;
  };

  return (rows, onLost) =>
    new Promise((stored) => {
      waiting.push({ rows, onLost, stored });
      if (isWorking) return;
      isWorking = true;
      void work();
    });
}

/** If the store refuses the combined rows of several sockets, each socket's rows are tried separately. */
async function storeParts(run: PacedRun, parts: readonly Part[]): Promise<void> {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return storeRows(run, only.rows, only.onLost);
  const gathered = createRowBuffer();
  for (const { rows } of parts) gathered.add(rows);
  let isRefused = false;
  await storeRows(
    run,
    gathered.takeAll(),
    (reason) => {
      for (const { onLost } of parts) onLost(reason);
    },
    () => (isRefused = true),
  );
  // The store already knows the stored part: repeating it changes nothing.
  if (isRefused) for (const { rows, onLost } of parts) await storeRows(run, rows, onLost);
}
