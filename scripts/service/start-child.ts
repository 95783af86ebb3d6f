import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ALMANAC = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
export const EXCHANGE = fileURLToPath(new URL("../../packages/exchange/src/main.ts", import.meta.url));

export type Started<Said> = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** The first line of its standard output, as JSON. */
  readonly said: Said;
  readonly stop: () => Promise<void>;
};

const STOP_MS = 30_000;
const MAX_REPORTED = 20_000;

type Starting = {
  /** Prints its standard error only if it ends before it listens. */
  readonly isQuiet?: boolean;
  /** Time that it has to stop by itself: longer than its own children may take together. */
  readonly stopMs?: number;
};

/** Starts a script of this repository as a process, once it has reported where it listens. Throws if it ends first. */
export async function startChild<Said = Readonly<Record<string, string>>>(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { isQuiet = false, stopMs = STOP_MS }: Starting = {},
): Promise<Started<Said>> {
  const child = spawn(process.execPath, [...args], {
    env: { ...env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" },
    stdio: ["ignore", "pipe", isQuiet ? "pipe" : "inherit", "ipc"],
  });
  // While it is still starting no caller could stop it.
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  let reported = "";
  child.stderr?.on("data", (chunk: Buffer) => (reported = (reported + chunk.toString("utf8")).slice(-MAX_REPORTED)));
  const said = await new Promise<Said>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n")) resolve(JSON.parse(text.slice(0, text.indexOf("\n"))) as Said);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}\n${reported}`.trim())));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), stopMs);
    await gone;
    clearTimeout(late);
  };
  return { pid: child.pid ?? 0, child, said, stop };
}
