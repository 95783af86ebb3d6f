import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import type { Address } from "../connection.ts";
import { StoreError } from "../store-error.ts";
import { nodeXml, usersXml } from "./engine-config.ts";
import { isOrphaned, readEndpoint, removeEndpoint, writeEndpoint } from "./engine-endpoint.ts";

const DATABASE = "almanac";
const USER = "almanac";
const START_TIMEOUT_MS = 60_000;
const START_ATTEMPTS = 3;
const STOP_TIMEOUT_MS = 20_000;
const LOOK_AGAIN_MS = 200;
const MEMORY_SHARE = 0.4;

export type Engine = {
  readonly address: Address;
  readonly pid: number;
  readonly stop: () => Promise<void>;
  readonly ended: Promise<void>;
};

/** `port` is tried first; after `signal` is aborted nothing is started any more. */
export type EngineStart = { readonly port?: number; readonly signal?: AbortSignal };

/** Starts the embedded engine on a data folder. Throws StoreError "locked" where another process has the folder. */
export async function startEngine(folder: string, wish: EngineStart = {}): Promise<Engine> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const password = readPassword(join(folder, "engine-password"));
  const usersFile = join(folder, "users.xml");
  const configFile = join(folder, "node.xml");
  const config = {
    password,
    usersFile,
    logFile: join(folder, "engine.log"),
    memoryBytes: Math.floor(totalmem() * MEMORY_SHARE),
  };
  writeFileSync(configFile, nodeXml(config), { mode: 0o600 });
  writeFileSync(usersFile, usersXml(config), { mode: 0o600 });
  const { child, address } = await launch(configFile, folder, password, wish);
  const pid = child.pid ?? 0;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    if (hasEnded(child)) resolve();
  });
  writeEndpoint(folder, address, pid);
  return {
    address,
    pid,
    ended,
    stop: async () => {
      removeEndpoint(folder);
      await stopEngine(child, ended);
    },
  };
}

/**
 * Another program may take the free port first: then the engine ends at once and is started again on another. One whose
 * owner was killed is waited for until it has ended.
 */
async function launch(configFile: string, folder: string, password: string, wish: EngineStart) {
  const script = fileURLToPath(new URL("engine.cjs", import.meta.url));
  const columns = join(folder, "columns");
  const orphanUntil = Date.now() + STOP_TIMEOUT_MS;
  for (let attempt = 1; ; attempt += 1) {
    wish.signal?.throwIfAborted();
    const port = attempt === 1 && wish.port !== undefined ? wish.port : await freePort();
    const child = spawn(process.execPath, [script, libraryPath(), configFile, columns, String(port)], {
      stdio: ["pipe", "ignore", "pipe"],
      detached: true,
    });
    const address = { url: `http://127.0.0.1:${port}`, user: USER, password, database: DATABASE };
    try {
      await untilListening(child, address, wish.signal);
      return { child, address };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.kind === "locked" && isOrphaned(folder) && Date.now() < orphanUntil) {
        attempt -= 1;
        await sleep(LOOK_AGAIN_MS);
      } else if (attempt >= START_ATTEMPTS || error.kind === "locked") throw error;
    }
  }
}

/** The engine that another process runs on this folder, if one does. */
export async function findEngine(folder: string): Promise<Address | undefined> {
  const endpoint = readEndpoint(folder);
  if (endpoint === undefined || isOrphaned(folder)) return undefined;
  const { url, user, password, database } = endpoint;
  const address = { url, user, password, database };
  return (await isListening(address)) ? address : undefined;
}

function readPassword(file: string): string {
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, randomBytes(24).toString("hex"), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, "utf8").trim();
}

function libraryPath(): string {
  const require = createRequire(import.meta.url);
  const chdb = createRequire(require.resolve("chdb"));
  const libc = process.platform === "linux" ? "-gnu" : "";
  const name = `@chdb/lib-${process.platform}-${process.arch}${libc}`;
  return join(chdb.resolve(`${name}/package.json`), "..", "libchdb.so");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const found = server.address();
      server.close(() => (typeof found === "object" && found ? resolve(found.port) : reject(new Error("no port"))));
    });
  });
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function untilListening(child: ChildProcess, address: Address, signal: AbortSignal | undefined): Promise<void> {
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(-4_000)));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (signal?.aborted) break;
    if (hasEnded(child)) {
      const locked = complaint.includes("CANNOT_OPEN_FILE") || complaint.includes("Cannot lock file");
      throw new StoreError(
        locked ? "locked" : "absent",
        locked ? 76 : 0,
        `the embedded engine ended at start (${child.exitCode ?? child.signalCode}): ${complaint}`,
      );
    }
    if (await isListening(address)) return;
    await sleep(30);
  }
  child.kill("SIGKILL");
  throw new StoreError("absent", 0, `the embedded engine did not listen within ${START_TIMEOUT_MS} ms: ${complaint}`);
}

async function isListening(address: Address): Promise<boolean> {
  try {
    const response = await request(`${address.url}/`, {
      method: "POST",
      body: `CREATE DATABASE IF NOT EXISTS ${DATABASE}`,
      headers: { "x-clickhouse-user": address.user, "x-clickhouse-key": address.password },
      headersTimeout: 5_000,
      reset: true,
    });
    await response.body.dump();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}

async function stopEngine(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (hasEnded(child)) return;
  child.stdin?.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
