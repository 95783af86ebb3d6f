import type { ChildProcess } from "node:child_process";
import { ALMANAC, startChild } from "../service/start-child.ts";
import { makeUnboundedKey } from "../service/report-service.ts";
import { childrenOf, residentMiB } from "./process-use.ts";

export type BenchService = {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly key: string;
  readonly memory: () => { readonly service_mib: number; readonly engine_mib: number };
  readonly stop: () => Promise<void>;
};

/**
 * Starts the service as its own process on a data folder, without ingestion, with an unlimited key; `more` adds to its
 * environment, `main` is the script to run.
 */
export async function startService(
  dataDir: string,
  more: NodeJS.ProcessEnv = {},
  main: string = ALMANAC,
): Promise<BenchService> {
  const own = { ALMANAC_DATA_DIR: dataDir, ALMANAC_PORT: "0", ALMANAC_ROLE: "api", LOG_LEVEL: "error" };
  const env = { ...process.env, ...own, ...more };
  const { pid, child, said, stop } = await startChild([main, "serve", "--json"], env);
  const key = await makeUnboundedKey(env).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    pid,
    child,
    baseUrl: said["base_url"] ?? "",
    key,
    memory: () => ({ service_mib: residentMiB(pid), engine_mib: Math.max(...childrenOf(pid).map(residentMiB)) }),
    stop,
  };
}
