import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { freePort } from "../fixtures/free-port.ts";

export type TestRedis = {
  readonly url: string;
  /** Kills the server; its data is lost. `up` starts it again at the same address. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  /** Suspends the process: connections stay open and nothing is answered. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly stop: () => Promise<void>;
};

/** Returns why Redis tests are skipped on this machine; undefined if they run. */
export function redisAbsence(): string | undefined {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "left out: redis-server is not installed";
  }
}

/** Starts a server of its own on a free loopback port, which keeps nothing on disk. */
export async function startRedis(password?: string): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-redis-"));
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  if (password !== undefined) args.push("--requirepass", password);
  const start = () => spawn("redis-server", args, { stdio: "ignore" });
  const url = `redis://${password === undefined ? "" : `:${password}@`}127.0.0.1:${port}`;
  let server = start();
  const down = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => {
      server.once("exit", resolve);
    });
    server.kill("SIGKILL");
    await ended;
  };
  await untilAnswering(url);
  return {
    url,
    down,
    up: async () => {
      server = start();
      await untilAnswering(url);
    },
    freeze: () => void server.kill("SIGSTOP"),
    thaw: () => void server.kill("SIGCONT"),
    stop: async () => {
      await down();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswering(url: string): Promise<void> {
  const probe = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  probe.on("error", () => undefined);
  try {
    await Promise.race([
      probe.ping(),
      sleep(60_000, undefined, { ref: false }).then(() => {
        throw new Error("redis-server did not answer within 60 s");
      }),
    ]);
  } finally {
    probe.disconnect();
  }
}
