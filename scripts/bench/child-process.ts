import { spawn, type ChildProcess } from "node:child_process";

export type Started = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** The first line of its standard output, as JSON. */
  readonly said: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

const STOP_MS = 30_000;

/** A script of this repository as a process of its own, once it has said where it listens. Throws when it ends first. */
export async function startChild(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Started> {
  const child = spawn(process.execPath, [...args], {
    env: { ...env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const said = await new Promise<Record<string, string>>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n")) resolve(JSON.parse(text.slice(0, text.indexOf("\n"))) as Record<string, string>);
    });
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code}`)));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await gone;
    clearTimeout(late);
  };
  return { pid: child.pid ?? 0, child, said, stop };
}
