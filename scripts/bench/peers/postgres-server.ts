import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../../packages/server/test/fixtures/free-port.ts";
import { findPostgres } from "../../../packages/server/test/records/start-postgres.ts";

export type PostgresServer = {
  readonly pid: number;
  readonly url: string;
  readonly stop: () => Promise<void>;
};

const TRIES = 300;

/** Tuned for a machine with a few GB to spare: all tables fit into memory, as they do for the other side. */
const SETTINGS = [
  "shared_buffers=2GB",
  "effective_cache_size=8GB",
  "work_mem=32MB",
  "maintenance_work_mem=512MB",
  "max_wal_size=8GB",
  "random_page_cost=1.1",
  "jit=off",
  "timezone=UTC",
];

/** The id of the user or group postgres if this process is root. */
const idOf = (flag: "-u" | "-g"): number | undefined =>
  process.getuid?.() === 0 ? Number(execFileSync("id", [flag, "postgres"])) : undefined;

/** Starts PostgreSQL on a persistent folder, on loopback. It refuses to run as root: the user postgres owns it then. */
export async function startPostgresOn(folder: string): Promise<PostgresServer> {
  const found = findPostgres();
  if ("reason" in found) throw new Error(found.reason);
  const [uid, gid] = [idOf("-u"), idOf("-g")];
  mkdirSync(folder, { recursive: true });
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const as = { uid, gid, cwd: folder, stdio: "ignore" as const };
  const data = join(folder, "data");
  if (!existsSync(data)) {
    const made = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"];
    execFileSync(join(found.bin, "initdb"), made, as);
  }
  const port = await freePort();
  const settings = SETTINGS.flatMap((one) => ["-c", one]);
  const args = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, ...settings];
  const server = spawn(join(found.bin, "postgres"), args, as);
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  for (let attempt = 1; !(await answers(url)); attempt += 1) {
    if (server.exitCode !== null || attempt === TRIES) throw new Error(`PostgreSQL does not start on ${data}`);
    await sleep(100);
  }
  return {
    pid: server.pid ?? 0,
    url,
    stop: async () => {
      server.kill("SIGINT");
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
