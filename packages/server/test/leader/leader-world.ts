import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { findLeader } from "../../src/ingest/leader/leader-record.ts";
import { asLeader, type Leading } from "../../src/main/as-leader.ts";
import { migrate } from "../../src/store/migrate.ts";
import { tables } from "../../src/catalogue.ts";
import { openStore } from "../../src/store/open-store.ts";
import { openRecords } from "../../src/records/records.ts";
import { sql } from "../../src/definition/sql.ts";
import { MIGRATIONS } from "../fixtures/open-test-store.ts";
import { openNumberedVenue } from "../outage/numbered-venue.ts";
import { settleFrames } from "../outage/settle-frames.ts";
import { startPostgres } from "../records/start-postgres.ts";
import { startCluster } from "../scale/cluster/start-cluster.ts";
import type { ChildSettings } from "./leader-child.ts";

/** Default lease of a process. */
export const LEASE_SECONDS = 2;
const CHILD = join(import.meta.dirname, "leader-child.ts");

export type LeaderProcess = {
  readonly label: string;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<number | null>;
  readonly said: () => string;
};

/** Length of its lease, and the interval at which it checks whether no process leads. */
export type Standing = Partial<Pick<ChildSettings, "leaseSeconds" | "lookMs">>;

export type LeaderWorld = Awaited<ReturnType<typeof openLeaderWorld>>;

/** A real PostgreSQL, a real column engine, two streams with known truth, and processes of which one ingests them. */
export async function openLeaderWorld(bin: string) {
  const [postgres, cluster] = await Promise.all([startPostgres(bin), startCluster({ shards: 1, replicas: 1 })]);
  const address = cluster.nodes[0]?.address;
  if (address === undefined) throw new Error("the cluster has no node");
  const store = await openStore({ address });
  await migrate(store, MIGRATIONS, tables);
  const databaseUrl = await postgres.newDatabase();
  const records = await openRecords({ url: databaseUrl });
  const [upstream, venue] = await Promise.all([serveNewest(), openNumberedVenue()]);
  const settings = { VENUE_URL: upstream.url, ...venue.settings };
  const children: ChildProcess[] = [];
  return {
    postgres,
    records,
    store,
    upstream,
    venue,
    start: async ({ leaseSeconds = LEASE_SECONDS, lookMs = 1000 }: Standing = {}): Promise<LeaderProcess> => {
      const given: ChildSettings = { databaseUrl, address, settings, leaseSeconds, lookMs };
      const child = spawn(process.execPath, [CHILD, JSON.stringify(given)], { stdio: ["ignore", "pipe", "pipe"] });
      children.push(child);
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-20_000)));
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      await Promise.race([
        new Promise((resolve) => child.stdout.once("data", resolve)),
        ended.then(() => Promise.reject(new Error(said))),
      ]);
      return {
        label: `${hostname()}:${child.pid}`,
        signal: (name) => void child.kill(name),
        ended,
        said: () => said,
      };
    },
    /** Runs work as a command that writes does. */
    command: <T>(work: (leading: Leading) => Promise<T>): Promise<T> =>
      asLeader(
        { databaseUrl, leaseSeconds: LEASE_SECONDS },
        { store, records },
        { log: pino({ level: "silent" }), signal: new AbortController().signal },
        work,
      ),
    /** The process whose lease has not expired. */
    leader: async (): Promise<string | undefined> => (await findLeader(records.db))?.process,
    /** Counts of stored fills, of distinct ones, and of those in a copy. */
    fills: async () => {
      const [row] = await store.rows<{ fills: string; ids: string; copies: string }>(
        sql`SELECT count() AS fills, uniqExact(tx_hash) AS ids, (SELECT count() FROM polymarket_fills_by_wallet) AS copies FROM polymarket_fills`,
      );
      return row;
    },
    settle: () => settleFrames({ store, db: records.db }, venue.madeAt),
    end: async () => {
      for (const child of children) {
        child.kill("SIGCONT");
        child.kill("SIGKILL");
      }
      venue.close();
      upstream.close();
      await records.close();
      await store.close();
      await Promise.all([cluster.stop(), postgres.stop()]);
    },
  };
}

/** An upstream that reports the number of fills. */
async function serveNewest() {
  let newest = 30;
  const server = createServer((_request, response) => response.end(JSON.stringify({ newest })));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The counts once everything is stored. */
    all: () => ({ fills: String(newest), ids: String(newest), copies: String(newest) }),
    newest: () => newest,
    add: (count: number): void => {
      newest += count;
    },
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
}
