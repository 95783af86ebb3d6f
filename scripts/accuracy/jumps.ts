import { textTable } from "../../packages/server/src/cli/text-table.ts";
import { openTestStore } from "../../packages/server/test/fixtures/open-test-store.ts";
import type { Accuracy, WorldSize } from "./accuracy.ts";
import { findAlarms, type Method } from "./jumps/alarms.ts";
import { jumpWorldOf } from "./jumps/kept-world.ts";
import { explain, missedText, type Reasons } from "./jumps/explain-jumps.ts";
import { judge, type Judged } from "./jumps/score-alarms.ts";
import { storeMinutes } from "./jumps/store-minutes.ts";
import { tell, type Tally } from "./jumps/tell-jumps.ts";

const METHODS: readonly Method[] = ["robust", "z-score", "candle"];
const RESOLUTION = "5m";

/** What was judged of a world by method; why, of single jumps and alarms, where that is asked for. */
type Measured = { readonly judged: readonly (readonly [Method, Judged])[]; readonly reasons: Reasons };

/** Jumps found and false over several worlds, at as many alarms for every method. */
export const accuracyOfJumps: Accuracy = async (worlds) => {
  const found = new Map<Method, Judged[]>(METHODS.map((method) => [method, []]));
  const reasons: Reasons = new Map();
  for (const world of worlds) {
    const measured = await measure(world);
    for (const [method, judged] of measured.judged) found.get(method)?.push(judged);
    for (const [what, reason] of measured.reasons) reasons.set(what, reason);
  }
  const all = new Map([...found].map(([method, parts]) => [method, joined(parts)]));
  const tallies = tell(all);
  const head = ["METHOD", "THRESHOLD", "ALARMS", "FALSE", "PRECISION", "FOUND", "OF", "RECALL", "WHICH"];
  const missed = worlds.some((world) => world.missed === true) ? missedText(all.get("robust"), reasons) : "";
  return { text: `${textTable(head, tallies.map(toCells))}${missed}`, value: { worlds, tallies } };
};

async function measure(size: WorldSize): Promise<Measured> {
  const world = jumpWorldOf(size);
  process.stderr.write(`seed ${size.seed}: ${world.markets.length} markets, ${world.jumps.length} jumps\n`);
  const store = await openTestStore();
  try {
    await storeMinutes(store, world);
    const judged: [Method, Judged][] = [];
    for (const method of METHODS)
      judged.push([method, judge(world, await findAlarms(store, world, method, RESOLUTION))]);
    const [[, robust] = []] = judged;
    const isAsked = size.missed === true && robust !== undefined;
    return { judged, reasons: isAsked ? await explain(store, world, robust, `seed ${size.seed}`) : new Map() };
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
