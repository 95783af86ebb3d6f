import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { Registry } from "prom-client";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { openRecords } from "../../src/records/records.ts";
import { openMigratedStore } from "../fixtures/open-migrated-store.ts";

/** A real column engine and real control records in a folder of their own, or in one that is kept. */
export async function openEngines(kept?: string) {
  const folder = kept ?? mkdtempSync(join(tmpdir(), "almanac-ingest-"));
  const store = await openMigratedStore(join(folder, "columns"));
  const records = await openRecords({ dataDir: join(folder, "records") });
  return {
    store,
    records,
    db: records.db,
    log: pino({ level: process.env["TEST_LOG"] ?? "silent" }),
    metrics: createIngestMetrics(new Registry()),
    close: async () => {
      await records.close();
      await store.close();
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
