import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeKey } from "./make-key.ts";
import { childrenOf, residentMiB } from "./memory.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const MAIN = join(root, "packages/server/src/main.ts");

export type BenchService = {
  readonly baseUrl: string;
  readonly key: string;
  readonly memory: () => { readonly service_mib: number; readonly engine_mib: number };
  readonly stop: () => Promise<void>;
};

/** The service as a process of its own on a data folder, gathering nothing, with a key that is not limited. */
export async function startService(dataDir: string): Promise<BenchService> {
  const env = { ...process.env, ALMANAC_DATA_DIR: dataDir, ALMANAC_PORT: "0", ALMANAC_ROLE: "api", LOG_LEVEL: "error" };
  const child = spawn(process.execPath, [MAIN, "serve", "--json"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n")) resolve(text);
    });
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
  });
  const { base_url: baseUrl } = JSON.parse(line) as { base_url: string };
  const stop = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await gone;
  };
  const key = await makeKey(env).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const pid = child.pid ?? 0;
  return {
    baseUrl,
    key,
    memory: () => ({ service_mib: residentMiB(pid), engine_mib: Math.max(...childrenOf(pid).map(residentMiB)) }),
    stop,
  };
}
