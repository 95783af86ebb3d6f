import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { Registry } from "prom-client";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { openRecords } from "../../src/records/records.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openMigratedStore } from "../fixtures/open-migrated-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { openTestRecords } from "../fixtures/worker-records.ts";

const OPEN_MS = 240_000;

/** A real column engine and real control records: those of this worker, or both in a folder that is kept. */
export async function openEngines(kept?: string) {
  const store = await (kept === undefined ? openTestStore() : openKeptStore(join(kept, "columns")));
  const records = await inTime(
    kept === undefined ? openTestRecords() : openRecords({ dataDir: join(kept, "records") }),
    () => "the control records",
  );
  return {
    store,
    records,
    db: records.db,
    log: pino({ level: process.env["TEST_LOG"] ?? "silent" }),
    metrics: createIngestMetrics(new Registry()),
    close: async () => {
      await records.close();
      await store.close();
    },
  };
}

const openKeptStore = (columns: string): Promise<OpenStore> =>
  inTime(openMigratedStore(columns), () => `the column engine: ${endOf(join(columns, "engine.log"))}`);

/** Fails before the hook's own timeout, which does not report what it waited for. */
async function inTime<T>(opening: Promise<T>, what: () => string): Promise<T> {
  const late = sleep(OPEN_MS, undefined, { ref: false }).then(() =>
    Promise.reject(new Error(`did not open in ${OPEN_MS / 1000} s: ${what()}`)),
  );
  return Promise.race([opening, late]);
}

const endOf = (file: string): string =>
  existsSync(file) ? readFileSync(file, "utf8").slice(-4000) : "it said nothing";
