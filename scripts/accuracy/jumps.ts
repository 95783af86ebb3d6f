import { textTable } from "../../packages/server/src/cli/text-table.ts";
import { openTestStore } from "../../packages/server/test/fixtures/open-test-store.ts";
import type { Accuracy, WorldSize } from "./accuracy.ts";
import { findAlarms, type Method } from "./jumps/alarms.ts";
import { makeJumpWorld } from "./jumps/jump-world.ts";
import { judge, type Judged } from "./jumps/score-alarms.ts";
import { storeMinutes } from "./jumps/store-minutes.ts";
import { tell, type Tally } from "./jumps/tell-jumps.ts";

const METHODS: readonly Method[] = ["robust", "z-score", "candle"];
const RESOLUTION = "5m";

/** Jumps found and false over several worlds, at as many alarms for every method. */
export const accuracyOfJumps: Accuracy = async (worlds) => {
  const found = new Map<Method, Judged[]>(METHODS.map((method) => [method, []]));
  for (const world of worlds) {
    for (const [method, judged] of await measure(world)) found.get(method)?.push(judged);
  }
  const tallies = tell(new Map([...found].map(([method, parts]) => [method, joined(parts)])));
  const head = ["METHOD", "THRESHOLD", "ALARMS", "FALSE", "PRECISION", "FOUND", "OF", "RECALL", "WHICH"];
  return { text: textTable(head, tallies.map(toCells)), value: { worlds, tallies } };
};

async function measure(size: WorldSize): Promise<[Method, Judged][]> {
  const { seed, days, events = 60, activity = 12 } = size;
  const world = makeJumpWorld(seed, { days, events, activity });
  process.stderr.write(`seed ${seed}: ${world.markets.length} markets, ${world.jumps.length} jumps\n`);
  const store = await openTestStore();
  try {
    await storeMinutes(store, world);
    const judged: [Method, Judged][] = [];
    for (const method of METHODS)
      judged.push([method, judge(world, await findAlarms(store, world, method, RESOLUTION))]);
    return judged;
  } finally {
    await store.close();
  }
}

const joined = (parts: readonly Judged[]): Judged => ({
  alarms: parts.flatMap(({ alarms }) => alarms).sort((a, b) => b.score - a.score),
  jumps: parts.flatMap(({ jumps }) => jumps),
});

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(2));

const toCells = (tally: Tally): string[] => [
  tally.method,
  tally.threshold.toPrecision(3),
  String(tally.alarms),
  String(tally.false_alarms),
  share(tally.alarms - tally.false_alarms, tally.alarms),
  String(tally.found),
  String(tally.jumps),
  share(tally.found, tally.jumps),
  tally.which,
];
