import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";
import { inTime } from "../definition/pacing.ts";

/** The service's dependencies. Each check rejects if the part does not respond. */
export type Parts = {
  readonly engine: () => Promise<unknown>;
  readonly records: () => Promise<unknown>;
  /** When the last backup completed; undefined if there was none. */
  readonly lastBackup: () => Promise<Date | undefined>;
  /** A folder on the disk to monitor. */
  readonly folder: string;
};

const LOOK_MS = 2000;

/** Gauges of the service's dependencies, checked at every scrape within two seconds. */
export function createPartMetrics(registry: Registry, { engine, records, lastBackup, folder }: Parts): void {
  const gauge = (name: string, help: string, look: () => Promise<number>): void => {
    new Gauge({
      name: `almanac_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set(await look());
      },
    }).set(0);
  };
  gauge("engine_up", "1 while the column engine responds to this process.", () => isAnswering(engine));
  gauge("records_up", "1 while the control records respond to this process.", () => isAnswering(records));
  gauge(
    "backup_last_success_timestamp_seconds",
    "Unix time of the last successful backup to any destination; 0 if there was none, NaN until the records respond.",
    lastSuccess(lastBackup),
  );
  const disk = "of the disk that holds ALMANAC_DATA_DIR";
  gauge("disk_free_bytes", `Bytes left ${disk}.`, async () => (await diskOf(folder)).free);
  gauge("disk_total_bytes", `Size ${disk}.`, async () => (await diskOf(folder)).total);
}

async function isAnswering(look: () => Promise<unknown>): Promise<number> {
  try {
    await inTime(look(), LOOK_MS, () => new Error("it took too long"));
    return 1;
  } catch {
    return 0;
  }
}

/** Keeps the last value while the records are down: that backup existed, even if a newer one does too. */
function lastSuccess(look: Parts["lastBackup"]): () => Promise<number> {
  let known = Number.NaN;
  return async () => {
    try {
      const at = await inTime(look(), LOOK_MS, () => new Error("it took too long"));
      known = at === undefined ? 0 : at.getTime() / 1000;
    } catch {
      return known;
    }
    return known;
  };
}

/** A disk that cannot be read reports NaN rather than zero free space, so that no alert compares true. */
async function diskOf(folder: string): Promise<{ readonly free: number; readonly total: number }> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch {
    return { free: Number.NaN, total: Number.NaN };
  }
}
