import { spawn } from "node:child_process";
import { loadavg } from "node:os";
import { childrenOf, cpuSeconds, residentMiB } from "./process-use.ts";

/** Resources used by a command: the process itself, and the engine that it started. */
export type Watched = {
  readonly seconds: number;
  readonly text: string;
  readonly peak: { readonly service_mib: number; readonly engine_mib: number; readonly together_mib: number };
  readonly cpu: { readonly service_s: number; readonly engine_s: number };
  /** Load average of the machine in the minute before, and in the last minute. */
  readonly load: readonly [number, number];
};

const EVERY_MS = 500;

/** Runs a script of this repository to its end and samples its memory and CPU twice a second. Throws if it fails. */
export async function watchChild(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Watched> {
  const before = loadavg()[0] ?? Number.NaN;
  const started = performance.now();
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const peak = { service_mib: 0, engine_mib: 0, together_mib: 0 };
  const cpu = { service_s: 0, engine_s: 0 };
  const look = (): void => {
    const pid = child.pid ?? 0;
    const [service, engines] = [residentMiB(pid) || 0, childrenOf(pid)];
    const engine = Math.max(0, ...engines.map((one) => residentMiB(one) || 0));
    peak.service_mib = Math.max(peak.service_mib, service);
    peak.engine_mib = Math.max(peak.engine_mib, engine);
    peak.together_mib = Math.max(peak.together_mib, service + engine);
    cpu.service_s = cpuSeconds(pid) || cpu.service_s;
    cpu.engine_s = Math.max(cpu.engine_s, ...engines.map((one) => cpuSeconds(one) || 0));
  };
  const timer = setInterval(look, EVERY_MS);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).finally(() => clearInterval(timer));
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, text, peak, cpu, load: [before, loadavg()[0] ?? Number.NaN] };
}
