import type { TableRows } from "../../definition/connector.ts";
import { StoreError } from "../../store/store-error.ts";
import { backoffMs } from "../backoff.ts";
import type { SocketRun } from "./socket-run.ts";

const PACE = { firstMs: 200, mostMs: 10_000 };
const TRIES_REFUSED = 3;
const TRIES_STOPPING = 2;

/**
 * Stores what sockets brought. Waits out a store that is away, full or busy; rows it refuses for good are parked whole
 * and reported to `onLost`. When the service stops, a store that is still away loses them: `onLost` too.
 * With `onRefused` they are neither parked nor lost: it is told instead.
 */
export async function storeRows(
  run: SocketRun,
  given: readonly TableRows[],
  onLost: (reason: string) => void,
  onRefused?: () => void,
): Promise<void> {
  const { connector, write, watch, clock } = run;
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
          onLost(`the service stopped while the store was away; ${rows.rows.length} rows of ${rows.table.name}`);
          break;
        }
        await clock.sleep(backoffMs(tried, PACE));
      }
    }
  }
}

function report({ connector, watch, clock, metrics, log }: SocketRun, error: unknown, tried: number): void {
  watch.errors += 1;
  watch.lastError = error instanceof Error ? error.message : String(error);
  watch.lastErrorAt = clock.now();
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
