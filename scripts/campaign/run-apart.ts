import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drawRun } from "./draw-run.ts";
import { brokenRun, type RunResult } from "./run-result.ts";

/** Timeout on a busy machine; on an idle one a run takes twenty seconds. */
const MAX_MS = 400_000;
const RUNNER = join(import.meta.dirname, "runner.ts");

/** Executes a run in its own process, killed when it takes too long. */
export async function runApart(seed: number, template: string, folder: string): Promise<RunResult> {
  const began = performance.now();
  const child = spawn(process.execPath, [RUNNER, String(seed), template, folder], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" },
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(-4000)));
  const timer = setTimeout(() => child.kill("SIGKILL"), MAX_MS);
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", resolve);
  });
  clearTimeout(timer);
  const seconds = (performance.now() - began) / 1000;
  if (code !== 0) return brokenRun(drawRun(seed), `the run ended with ${code}: ${complaint}`, seconds);
  return JSON.parse(readFileSync(join(folder, "result.json"), "utf8")) as RunResult;
}
