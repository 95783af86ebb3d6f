import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../fixtures/free-port.ts";
import { makeCertificate } from "../fixtures/make-certificate.ts";

export type TestPostgres = {
  /** The file with its certificate, if it has TLS. */
  readonly certificate: string | undefined;
  readonly newDatabase: () => Promise<string>;
  /** Kills the server abruptly, as a crash would; `up` starts it again on its data. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  /** Pauses all its processes: connections stay open, new ones are accepted, and nothing is answered. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly stop: () => Promise<void>;
};

const ASK_MS = 60_000;
const DEBIAN = "/usr/lib/postgresql";

/** Finds PostgreSQL's programs, or the reason to skip tests on it. */
export function findPostgres(): { readonly bin: string } | { readonly reason: string } {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const bin = versions.map((version) => join(DEBIAN, version, "bin")).find((path) => existsSync(join(path, "initdb")));
  if (bin === undefined) return { reason: "PostgreSQL is not installed" };
  if (process.getuid?.() !== 0) return { bin };
  try {
    execFileSync("id", ["postgres"], { stdio: "ignore" });
    return { bin };
  } catch {
    return { reason: "PostgreSQL does not run as root and there is no user postgres" };
  }
}

/**
 * Starts a server on a free loopback port, in a temporary folder. With TLS it has a self-signed certificate, and
 * accepts connections without TLS too.
 */
export async function startPostgres(bin: string, { tls = false } = {}): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-pg-"));
  const asRoot = process.getuid?.() === 0;
  const uid = asRoot ? Number(execFileSync("id", ["-u", "postgres"])) : undefined;
  const gid = asRoot ? Number(execFileSync("id", ["-g", "postgres"])) : undefined;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const as = { uid, gid, cwd: folder, stdio: "ignore" as const };
  const data = join(folder, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"], as);
  const port = await freePort();
  const certified = tls ? makeCertificate(folder) : undefined;
  if (certified && uid !== undefined && gid !== undefined) chownSync(certified.key, uid, gid);
  const ssl = certified ? ["ssl=on", `ssl_cert_file=${certified.certificate}`, `ssl_key_file=${certified.key}`] : [];
  const args = [
    "-D",
    data,
    "-p",
    String(port),
    "-h",
    "127.0.0.1",
    "-k",
    folder,
    ...["fsync=off", ...ssl].flatMap((one) => ["-c", one]),
  ];
  const start = () => spawn(join(bin, "postgres"), args, as);
  let server = start();
  const hasEnded = (): boolean => server.exitCode !== null || server.signalCode !== null;
  const down = async (): Promise<void> => {
    if (hasEnded()) return;
    const ended = new Promise((resolve) => {
      server.once("exit", resolve);
    });
    server.kill("SIGQUIT");
    await ended;
  };
  const admin = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const untilAnswering = (): Promise<void> =>
    until(async () => {
      if (hasEnded()) throw new Error(`PostgreSQL ended with ${server.exitCode ?? server.signalCode} on port ${port}`);
      await ask(admin, "select 1");
    });
  await untilAnswering();
  let made = 0;
  return {
    certificate: certified?.certificate,
    newDatabase: async () => {
      made += 1;
      await ask(admin, `create database test_${made}`);
      return `postgres://postgres@127.0.0.1:${port}/test_${made}`;
    },
    down,
    up: async () => {
      server = start();
      await untilAnswering();
    },
    freeze: () => signalAll(server.pid, "SIGSTOP"),
    thaw: () => signalAll(server.pid, "SIGCONT"),
    stop: async () => {
      await down();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Signals the server first, so that it starts no further process. */
function signalAll(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) throw new Error("PostgreSQL was never started");
  process.kill(pid, name);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  for (const child of children) {
    try {
      process.kill(Number(child), name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ASK_MS, query_timeout: ASK_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function until(ready: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ready();
    } catch (error) {
      if (attempt >= 3000) throw error;
      await sleep(20);
    }
  }
}
