import { spawn } from "node:child_process";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
const MAX_MESSAGE = 20_000;

export type Ended = {
  readonly code: number | null;
  /** Its output parsed as JSON; empty if it printed nothing. */
  readonly value: Record<string, unknown>;
  /** The end of its standard error. */
  readonly said: string;
};
export type Running = { readonly ended: Promise<Ended>; readonly kill: () => void };

/** Runs `almanac … --json` as an operator does: in a process of its own, with these settings. */
export function runAlmanac(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Running {
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    LOG_LEVEL: "error",
    ...environment,
  };
  const child = spawn(process.execPath, [MAIN, ...args, "--json"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString("utf8")).slice(-MAX_MESSAGE)));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) =>
      resolve({ code, value: text === "" ? {} : (JSON.parse(text) as Ended["value"]), said }),
    );
  });
  return { ended, kill: () => void child.kill("SIGKILL") };
}
