// Measures the tests by mutation: plants mistakes in a copy of the checkout, one at a time, and sees which tests fail.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { copyCheckout, plant, checkTypes } from "./mutate/checkout.ts";
import type { Mutation } from "./mutate/mutation.ts";
import { toMarkdown, totalOf, findUnsound, LEVELS, tryMutation, type Tried } from "./mutate/try-mutation.ts";
import { MUTATIONS } from "./mutate/mutations.ts";
import { runCommand } from "./run-command.ts";
import { readOptions } from "./read-options.ts";

const HELP = `npm run mutate -- [options]
  --only ID,ID   only these mutations
  --area NAME    only those of one area, e.g. "serving index"
  --folder DIR   folder for the results (default: almanac-mutate-results in the temporary folder)
  --skip-done    continue in a folder: mutations in its mutate.json are counted, not tried again
  --quick        only the quick tests; survivors are not recorded, so --skip-done tries them with all tests
  --types        only check that the code compiles with all of them
  --list         only list them
  --help         this text
Each mutation is a plausible mistake. It is planted in a temporary copy of the checkout, and the tests listed with it run
until one fails: those of test:quick first, then those of npm test. The failing test is run again on the unchanged code:
if it fails there too, it did not detect the mutation. The table is printed as Markdown and written to mutate.md, beside
mutate.json. Exits with 1 if a mutation survived, with 2 if a text to replace does not occur exactly once in its file.`;

const { values } = readOptions("mutate", {
  options: {
    only: { type: "string" },
    area: { type: "string" },
    folder: { type: "string" },
    "skip-done": { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    types: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

function chosen(): readonly Mutation[] {
  const ids = values.only?.split(",");
  for (const id of ids ?? []) if (!MUTATIONS.some((each) => each.id === id)) throw new Error(`no mutation ${id}`);
  const areas = new Set<string>(MUTATIONS.map(({ area }) => area));
  if (values.area !== undefined && !areas.has(values.area))
    throw new Error(`--area is ${values.area}: expected one of ${[...areas].join(", ")}`);
  return MUTATIONS.filter(
    ({ id, area }) => ids?.includes(id) !== false && (values.area === undefined || area === values.area),
  );
}

function lineOf({ id, caught, seconds }: Tried): string {
  return `${id}: ${caught === undefined ? "SURVIVED" : `${caught.level}: ${caught.file}: ${caught.test}`} (${seconds.toFixed(1)} s)`;
}

/** Tries them one after the other; writes the results so far after each. */
async function tryAll(copy: string, mutations: readonly Mutation[], file: string): Promise<readonly Tried[]> {
  const isKept = values["skip-done"] && existsSync(file);
  const tried = isKept ? (JSON.parse(readFileSync(file, "utf8")) as Tried[]) : [];
  const done = new Set(tried.map(({ id }) => id));
  const waiting = mutations.filter(({ id }) => !done.has(id));
  const fresh: Tried[] = [];
  for (const [index, mutation] of waiting.entries()) {
    const result = await tryMutation(copy, mutation, values.quick ? ["quick"] : LEVELS);
    say(`${index + 1}/${waiting.length} ${lineOf(result)}`);
    if (values.quick && result.caught === undefined) continue;
    fresh.push(result);
    writeFileSync(file, JSON.stringify([...tried, ...fresh], undefined, 2));
  }
  const unsound = await findUnsound(copy, fresh);
  for (const { file: test, test: name } of unsound) say(`fails without a mutation too: ${test}: ${name}`);
  const isUnsound = ({ caught }: Tried): boolean =>
    unsound.some(({ file: test }) => caught?.file.includes(test) === true);
  const sound = [...tried, ...fresh].filter((each) => !isUnsound(each));
  writeFileSync(file, JSON.stringify(sound, undefined, 2));
  return sound;
}

async function main(): Promise<number> {
  const mutations = chosen();
  if (values.list) {
    for (const { id, area, breaks } of mutations) print(`${area}: ${id}: ${breaks}`);
    return 0;
  }
  const copy = copyCheckout(root);
  process.once("exit", copy.remove);
  // Before any is tried, so that a stale mutation fails at once.
  for (const mutation of mutations) plant(copy.root, mutation)();
  if (values.types) return checkTypes(copy.root, mutations) ? 0 : 1;
  const folder = resolve(values.folder ?? join(tmpdir(), "almanac-mutate-results"));
  mkdirSync(folder, { recursive: true });
  const tried = await tryAll(copy.root, mutations, join(folder, "mutate.json"));
  const table = `${toMarkdown(MUTATIONS, tried)}\n\n${totalOf(tried)}`;
  writeFileSync(join(folder, "mutate.md"), `${table}\n`);
  print(table);
  const caught = new Set(tried.flatMap((each) => (each.caught === undefined ? [] : [each.id])));
  return mutations.every(({ id }) => caught.has(id)) ? 0 : 1;
}

if (values.help) print(HELP);
else await runCommand("mutate", main);
