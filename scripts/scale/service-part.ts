import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Part } from "./part.ts";

const MAIN = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
/** A machine that is short of processors starts slowly. */
const START_MS = 300_000;
/** What keeps processes running tries again so soon where one ended while it started. */
const AGAIN_MS = 1000;
const STOP_MS = 20_000;

export type ServiceOptions = {
  readonly name: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly arguments: readonly string[];
  readonly logFile: string;
};

export type ServicePart = Part & {
  readonly baseUrl: string;
  /** Of its life now. */
  readonly pid: () => number | undefined;
  /** How often it ended by itself. */
  readonly ended: () => number;
  /** SIGTERM, and SIGKILL where that takes too long; false then. */
  readonly stop: () => Promise<boolean>;
};

/** `almanac serve` as a process of its own on a port that stays the same over its lives; one that ends by itself is started again. */
export function servicePart(options: ServiceOptions): ServicePart {
  let child: ChildProcess | undefined;
  let isWanted = false;
  let ended = 0;
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const start = async (): Promise<void> => {
    isWanted = true;
    if (isRunning()) return;
    const own = spawnService(options);
    child = own;
    own.once("exit", () => {
      if (!isWanted || child !== own) return;
      ended += 1;
      setTimeout(() => {
        if (isWanted) start().catch(() => undefined);
      }, AGAIN_MS);
    });
    await untilListening(options.name, own);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    isWanted = false;
    if (child === undefined || !isRunning()) return;
    const gone = new Promise((resolve) => child?.once("exit", resolve));
    child.kill(signal);
    await gone;
  };
  return {
    name: options.name,
    baseUrl: `http://127.0.0.1:${options.port}`,
    pid: () => child?.pid,
    ended: () => ended,
    start,
    kill: () => end("SIGKILL"),
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    stop: async () => {
      let isClean = true;
      const late = setTimeout(() => {
        isClean = false;
        child?.kill("SIGKILL");
      }, STOP_MS);
      await end("SIGTERM");
      clearTimeout(late);
      return isClean;
    },
  };
}

function spawnService({ environment, port, arguments: more, logFile }: ServiceOptions): ChildProcess {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [MAIN, "serve", "--json", ...more], {
    env: {
      PATH: process.env["PATH"],
      NODE_OPTIONS: "--disable-warning=ExperimentalWarning",
      ...environment,
      ALMANAC_PORT: String(port),
    },
    stdio: ["ignore", "pipe", log],
  });
  closeSync(log);
  return child;
}

async function untilListening(name: string, child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error(`${name} has no standard output`);
  const lines = createInterface(child.stdout);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`${name} did not listen within ${START_MS} ms`)), START_MS);
  lines.once("line", () => resolve());
  child.once("exit", (code, signal) => reject(new Error(`${name} ended (${code ?? signal}) before it listened`)));
  await promise.finally(() => clearTimeout(timer));
}
