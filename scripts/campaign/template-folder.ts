import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MachineClock } from "./machine-clock.ts";
import { ServiceProcess } from "./service-process.ts";

/** A data folder as a fresh service leaves it, with a key: copied for each run, which saves the migrations. */
export async function makeTemplate(folder: string, logFile: string): Promise<void> {
  const clock = MachineClock.startingAt(Date.now(), 1);
  const service = new ServiceProcess({
    clock,
    logFile,
    orders: { needsKey: true, pastFromMs: 0 },
    environment: { ALMANAC_DATA_DIR: folder, ALMANAC_PORT: "0", ALMANAC_ROLE: "api", LOG_LEVEL: "error" },
  });
  const { key } = await service.ready;
  await service.stop();
  await service.orphans();
  writeFileSync(join(folder, KEY_FILE), key ?? "");
}

const KEY_FILE = "campaign-key";

/** Copies a template; gives its key. */
export function copyTemplate(template: string, folder: string): string {
  if (!existsSync(join(template, KEY_FILE))) throw new Error(`there is no template in ${template}`);
  // The engine links its folders to one another by relative paths.
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
  return readFileSync(join(folder, KEY_FILE), "utf8");
}
