import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import type { Address } from "../connection.ts";
import { StoreError } from "../statement.ts";

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const LOOK_TIMEOUT_MS = 5_000;

export type EngineProcess = {
  readonly configFile: string;
  /** Folder of the rows. */
  readonly columns: string;
  /** The engine listens on its port. */
  readonly address: Address;
  /** For other nodes of a cluster; no TCP port is opened if absent. */
  readonly tcpPort?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Starts the engine as a process and waits until it listens. Throws StoreError ("locked", "absent"). */
export async function launchEngine({ configFile, columns, address, tcpPort, signal }: EngineProcess) {
  const script = fileURLToPath(new URL("engine.cjs", import.meta.url));
  const ports = [new URL(address.url).port, ...(tcpPort === undefined ? [] : [String(tcpPort)])];
  const child = spawn(process.execPath, [script, libraryPath(), configFile, columns, ...ports], {
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
    env: engineEnv(),
  });
  await untilListening(child, address, signal);
  return child;
}

/** Passes only the variables that the engine needs: the service's environment has API keys and passwords. */
function engineEnv(): NodeJS.ProcessEnv {
  const needed = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH"];
  return Object.fromEntries(needed.map((name) => [name, process.env[name]]));
}

function libraryPath(): string {
  const require = createRequire(import.meta.url);
  const chdb = createRequire(require.resolve("chdb"));
  const libc = process.platform === "linux" ? "-gnu" : "";
  const name = `@chdb/lib-${process.platform}-${process.arch}${libc}`;
  return join(chdb.resolve(`${name}/package.json`), "..", "libchdb.so");
}

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function untilListening(child: ChildProcess, address: Address, signal: AbortSignal | undefined): Promise<void> {
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(-4_000)));
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
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

/** Whether an engine of ours answers there; its database then exists. */
export async function isListening({ url, user, password, database }: Address): Promise<boolean> {
  try {
    const response = await request(`${url}/`, {
      method: "POST",
      body: `CREATE DATABASE IF NOT EXISTS ${database}`,
      headers: { "x-clickhouse-user": user, "x-clickhouse-key": password },
      // A headers timeout alone would not bound the rest of the answer.
      signal: AbortSignal.timeout(LOOK_TIMEOUT_MS),
      reset: true,
    });
    await response.body.dump();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}

export async function stopEngine(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (hasEnded(child)) return;
  child.stdin?.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
