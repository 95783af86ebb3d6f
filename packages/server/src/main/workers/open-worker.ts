import { join } from "node:path";
import { openKeys } from "../../access/access.ts";
import { mayRead } from "../../access/caller.ts";
import { keyVerifier } from "../../access/verify-key.ts";
import { datasets, tables } from "../../catalogue.ts";
import { createApi } from "../../http/create-api.ts";
import { systemClock } from "../../ingest/clock.ts";
import { createLog } from "../../log.ts";
import { recordsThrough } from "../../records/records.ts";
import { openAsk } from "../open-ask.ts";
import { openColumnsOf } from "../open-engines.ts";
import { collectReport } from "./collect-report.ts";
import type { OwnerChannel } from "./owner-channel.ts";
import type { Opening, OwnerStatus } from "./protocol.ts";
import { openWorkerIndexes } from "./worker-indexes.ts";

/** Maximum delay until a change of the owner's indexes is known here. */
const CHANGE_LAG_MS = 250;

export type Worker = {
  readonly update: (status: OwnerStatus) => void;
  readonly forget: () => void;
  /** Finishes requests in flight, and sends the remaining counts. */
  readonly close: () => Promise<void>;
};

/** Answers the endpoint in this process from the owner's indexes and engine, and forwards everything else. */
export async function openWorker(opening: Opening, channel: OwnerChannel): Promise<Worker> {
  const { config, number, forwardTo } = opening;
  let { status } = opening;
  const log = createLog(config.logLevel);
  const store = await openColumnsOf(config, status.address);
  const db = recordsThrough(channel.records);
  const collecting = collectReport(channel.report);
  const folder = join(config.dataDir, "workers", String(number));
  const indexes = openWorkerIndexes({ config, store, folder, status, collecting, log });
  const keys = openKeys(keyVerifier(db, Date.now));
  const venueNow = (): number => Date.now() + status.venueAheadMs;
  const answering = { store, db, clock: systemClock, venueNow, indexes };
  const { app } = createApi({
    ask: openAsk(config, {
      ...answering,
      changeLagMs: CHANGE_LAG_MS,
      servedUntil: indexes.until,
      count: collecting.answer,
    }),
    access: {
      ...keys,
      take: channel.take,
      peek: channel.peek,
      mayRead,
      count: collecting.usage,
      close: () => Promise.resolve(),
    },
    catalogue: datasets,
    metrics: collecting,
    log,
    publicUrl: config.publicUrl,
    clock: Date.now,
    monotonicMs: systemClock.monotonicMs,
    trustedProxies: config.trustedProxies,
    forwardTo,
  });
  channel.listening(await app.listen({ host: config.host, port: config.port }));
  return {
    update: (next) => {
      status = next;
      for (const { table } of next.changed) outdate(table);
      indexes.update(next);
    },
    forget: keys.forget,
    close: async () => {
      await app.close();
      collecting.end();
      await indexes.close();
      await store.close();
    },
  };

  function outdate(name: string): void {
    const table = tables.find((each) => each.name === name);
    if (table) store.outdated(table);
  }
}
