import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
/** A machine with few free processors starts slowly. */
const START_MS = 300_000;
const STOP_MS = 20_000;

export type ServiceProcess = {
  readonly baseUrl: string;
  /** Whether it has ended, also without being stopped. */
  readonly hasEnded: () => boolean;
  readonly kill: () => Promise<void>;
  /** Sends SIGTERM, and SIGKILL if that takes too long; resolves to false then. */
  readonly stop: () => Promise<boolean>;
};

type ServiceOptions = {
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly arguments: readonly string[];
  readonly logFile: string;
};

/** Runs `almanac serve` in a process of its own. `listening` resolves when it listens. */
export function startServiceProcess(options: ServiceOptions): ServiceProcess & { readonly listening: Promise<void> } {
  const child = spawnService(options);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!isRunning()) return;
    child.kill(signal);
    await gone;
  };
  return {
    baseUrl: `http://127.0.0.1:${options.port}`,
    listening: untilListening(child),
    hasEnded: () => !isRunning(),
    kill: () => end("SIGKILL"),
    stop: async () => {
      let isClean = true;
      const late = setTimeout(() => {
        isClean = false;
        child.kill("SIGKILL");
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
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_OPTIONS: "--disable-warning=ExperimentalWarning",
      ...environment,
      ALMANAC_PORT: String(port),
    },
    stdio: ["ignore", "pipe", log],
  });
  closeSync(log);
  return child;
}

async function untilListening(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error("the service has no standard output");
  const lines = createInterface(child.stdout);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`it did not listen within ${START_MS} ms`)), START_MS);
  lines.once("line", () => resolve());
  child.once("exit", (code, signal) => reject(new Error(`it ended (${code ?? signal}) before it listened`)));
  await promise.finally(() => clearTimeout(timer));
}
