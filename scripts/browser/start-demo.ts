import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startChild } from "../service/start-child.ts";

const STOP_MS = 40_000;
const DEMO = fileURLToPath(new URL("../demo.ts", import.meta.url));

export type Demo = {
  readonly base_url: string;
  readonly api_key: string;
  /** A key in compatible mode. */
  readonly compatible_key: string;
  readonly dashboard_url: string;
  /** Control endpoint of the paper exchanges, which moves their clock. */
  readonly control_url: string;
  readonly admin: { readonly email: string; readonly password: string };
};
export type StartedDemo = { readonly demo: Demo; readonly stop: () => Promise<void> };

/**
 * Starts `npm run demo -- --json` with more options and waits until it is ready. If ALMANAC_DEMO names a file with the
 * JSON line of a running demo, that one is used and left running.
 */
export async function startDemo(args: readonly string[]): Promise<StartedDemo> {
  const running = process.env["ALMANAC_DEMO"];
  if (running !== undefined && running !== "") {
    return { demo: JSON.parse(readFileSync(running, "utf8")) as Demo, stop: async () => undefined };
  }
  const { said: demo, stop } = await startChild<Demo>([DEMO, "--port", "0", "--json", ...args], process.env, {
    isQuiet: true,
    stopMs: STOP_MS,
  });
  return { demo, stop };
}
