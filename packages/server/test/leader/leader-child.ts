import pino from "pino";
import { Registry } from "prom-client";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { leadershipOf } from "../../src/main/as-leader.ts";
import { openRecords } from "../../src/records/records.ts";
import type { Address } from "../../src/store/connection.ts";
import { openStore } from "../../src/store/open-store.ts";
import { numberedFills } from "../ingest/fill-connector.ts";
import { minuteCounts } from "../ingest/fill-rows.ts";
import { numberedSocket } from "../outage/numbered-venue.ts";

export type ChildSettings = {
  readonly databaseUrl: string;
  readonly address: Address;
  readonly settings: Readonly<Record<string, string>>;
  readonly leaseSeconds: number;
  /** Interval at which it checks whether no process leads. */
  readonly lookMs: number;
};

/** A process that leads or stands by until it is told to end or is killed: `node leader-child.ts SETTINGS_JSON`. */
const given = JSON.parse(process.argv[2] ?? "") as ChildSettings;
const records = await openRecords({ url: given.databaseUrl });
const store = await openStore({ address: given.address });
const log = pino({ level: process.env["TEST_LOG"] ?? "silent" }, pino.destination(2));
const leadership = leadershipOf(given, { store, records }, { log });
const ingest = startIngest({
  store,
  records,
  log,
  connectors: [numberedFills, numberedSocket],
  derivations: [minuteCounts],
  // Stored rows are derived soon, and the fold looks for them immediately.
  gatherMs: 250,
  folds: [{ ...walletFold, gatherSeconds: 0 }],
  settings: given.settings,
  metrics: new Registry(),
  clock: systemClock,
  signal: new AbortController().signal,
  onDerived: store.changed,
  leadership: leadership && { ...leadership, lookMs: given.lookMs },
});
process.once("SIGTERM", () => {
  void ingest
    .stop()
    .then(() => records.close())
    .then(() => store.close());
});
process.stdout.write("started\n");
