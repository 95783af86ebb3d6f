import type { TableRows } from "../../definition/connector.ts";
import { createRowBuffer } from "./row-buffer.ts";
import type { PacedRun } from "./socket-run.ts";
import { storeRows } from "./store-rows.ts";

type OnLost = (reason: string) => void;
type Part = { readonly rows: readonly TableRows[]; readonly onLost: OnLost; readonly stored: () => void };

/** Resolves when these rows are stored, or given up and told to `onLost`. */
export type GroupStore = (rows: readonly TableRows[], onLost: OnLost) => Promise<void>;

/** At most this share of the time is spent storing, so that a slow store gets fewer and larger inserts. */
const BUSY_SHARE = 0.5;

/**
 * One way to the store for all sockets of a stream: what came from all of them meanwhile is one insert a table, since
 * an insert costs much the same for ten rows as for a thousand. Nothing is taken on before what was handed over earlier
 * is stored, so what waits here is at most one flush of every socket.
 */
export function createGroupStore(run: PacedRun): GroupStore {
  const { clock, pace, signal } = run;
  let waiting: Part[] = [];
  let isWorking = false;
  let startsAt = 0;

  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Nothing is waited for once the service stops.
      await clock.sleep(Math.max(0, startsAt - clock.now()), signal).catch(() => undefined);
      const parts = waiting;
      waiting = [];
      const began = clock.now();
      await storeParts(run, parts);
      const took = clock.now() - began;
      startsAt = Math.max(began + pace.flushMs, clock.now() + took * (1 / BUSY_SHARE - 1));
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

/** Where the store refuses the rows of several sockets, each socket's are tried by themselves. */
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
  // What of it is stored already is known to the store: repeating it changes nothing.
  if (isRefused) for (const { rows, onLost } of parts) await storeRows(run, rows, onLost);
}
