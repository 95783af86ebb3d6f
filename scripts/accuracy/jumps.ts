import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tables } from "../../packages/server/src/catalogue.ts";
import { textTable } from "../../packages/server/src/cli/text-table.ts";
import { MIGRATIONS } from "../../packages/server/src/main/open-engines.ts";
import { migrate } from "../../packages/server/src/store/migrate.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import type { Accuracy, WorldSize } from "./world-store.ts";
import { findAlarms } from "./jumps/alarms.ts";
import { judge, type Judged } from "./jumps/judge-alarms.ts";
import { makeJumpWorld } from "./jumps/jump-world.ts";
import { storeMinutes } from "./jumps/store-minutes.ts";
import { report, type Tally } from "./jumps/report-jumps.ts";

const RESOLUTION = "5m";

/** Jumps found and false alarms over several worlds. */
export const accuracyOfJumps: Accuracy = async (worlds) => {
  const parts: Judged[] = [];
  for (const world of worlds) parts.push(await measure(world));
  const tallies = report({
    alarms: parts.flatMap(({ alarms }) => alarms),
    jumps: parts.flatMap(({ jumps }) => jumps),
  });
  const head = ["THRESHOLD", "ALARMS", "FALSE", "PRECISION", "FOUND", "OF", "RECALL", "WHICH"];
  return { text: textTable(head, tallies.map(toCells)), value: { worlds, tallies } };
};

async function measure(size: WorldSize): Promise<Judged> {
  const world = makeJumpWorld(size);
  process.stderr.write(`seed ${size.seed}: ${world.markets.length} markets, ${world.jumps.length} jumps\n`);
  const folder = mkdtempSync(join(tmpdir(), "almanac-jumps-"));
  const store = await openStore({ folder });
  try {
    await migrate(store, MIGRATIONS, tables);
    await storeMinutes(store, world);
    return judge(world, await findAlarms(store, world, RESOLUTION));
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(2));

const toCells = (tally: Tally): string[] => [
  tally.threshold.toPrecision(3),
  String(tally.alarms),
  String(tally.false_alarms),
  share(tally.alarms - tally.false_alarms, tally.alarms),
  String(tally.found),
  String(tally.jumps),
  share(tally.found, tally.jumps),
  tally.which,
];
