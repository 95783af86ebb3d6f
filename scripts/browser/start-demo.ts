import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const STOP_MS = 40_000;

export type Demo = {
  readonly base_url: string;
  readonly api_key: string;
  /** A key in compatible mode. */
  readonly compatible_key: string;
  readonly dashboard_url: string;
  /** The door of the paper exchanges that moves their clock. */
  readonly control_url: string;
  readonly admin: { readonly email: string; readonly password: string };
};
export type StartedDemo = { readonly demo: Demo; readonly stop: () => Promise<void> };

/**
 * `npm run demo -- --json` with more options, until it is ready. With ALMANAC_DEMO, a file that holds the line of one
 * that runs already, that one is used and left running.
 */
export async function startDemo(args: readonly string[]): Promise<StartedDemo> {
  const running = process.env["ALMANAC_DEMO"];
  if (running !== undefined && running !== "") {
    return { demo: JSON.parse(readFileSync(running, "utf8")) as Demo, stop: async () => undefined };
  }
  const command = ["--disable-warning=ExperimentalWarning", join(root, "scripts/demo.ts"), "--port", "0", "--json"];
  const child = spawn(process.execPath, [...command, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let [text, told] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => (told = (told + chunk.toString("utf8")).slice(-20_000)));
  const demo = await new Promise<Demo>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n")) resolve(JSON.parse(text.slice(0, text.indexOf("\n"))) as Demo);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the demo ended with ${code}:\n${told}`)));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
    child.kill("SIGKILL");
  };
  return { demo, stop };
}
