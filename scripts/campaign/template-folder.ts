import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MachineClock } from "./machine-clock.ts";
import { ServiceProcess } from "./service-process.ts";

/**
 * Creates a data folder as a fresh service leaves it, with a key: copied for each run, which saves the migrations.
 * Throws, with the end of the service's log, if it does not listen in time.
 */
export async function makeTemplate(folder: string, logFile: string, readyMs?: number): Promise<void> {
  const clock = MachineClock.startingAt(Date.now(), 1);
  const service = new ServiceProcess({
    clock,
    logFile,
    readyMs,
    orders: { needsKey: true, pastFromMs: 0 },
    environment: { ALMANAC_DATA_DIR: folder, ALMANAC_PORT: "0", ALMANAC_ROLE: "api", LOG_LEVEL: "error" },
  });
  const { key } = await service.ready.catch(async (error: unknown) => {
    // A child left running would keep this process from exiting.
    await service.kill(true);
    await service.orphans();
    throw new Error(`no template could be made: ${String(error)}; ${lastWords(logFile)}`, { cause: error });
  });
  await service.stop();
  await service.orphans();
  writeFileSync(join(folder, KEY_FILE), key ?? "");
}

function lastWords(logFile: string): string {
  const lines = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-MAX_LINES);
  const text = lines.join("\n").slice(-MAX_CHARS);
  return text === "" ? `nothing is in its log, ${logFile}` : `the end of its log, ${logFile}:\n${text}`;
}

const MAX_LINES = 20;
const MAX_CHARS = 4000;
const KEY_FILE = "campaign-key";

/** Copies a template; returns its key. */
export function copyTemplate(template: string, folder: string): string {
  if (!existsSync(join(template, KEY_FILE))) throw new Error(`there is no template in ${template}`);
  // The engine's folders link to each other by relative paths.
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
  return readFileSync(join(folder, KEY_FILE), "utf8");
}
