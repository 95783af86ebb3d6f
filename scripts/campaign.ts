// The fault campaign: seeded runs of the whole service on faulty paper exchanges, each compared with the ground truth.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { addUp, toMarkdown } from "./campaign/campaign-table.ts";
import { drawRun } from "./campaign/draw-run.ts";
import { runApart } from "./campaign/run-apart.ts";
import { failureLines, runLine, type RunResult } from "./campaign/run-result.ts";
import { makeTemplate } from "./campaign/template-folder.ts";
import { runCommand } from "./run-command.ts";
import { readNumber, readOptions } from "./read-options.ts";

const HELP = `npm run campaign -- [options]
  --runs N      number of runs (200)
  --seed N      seed of the first run; the others count up from it (1)
  --only N,N    only these seeds
  --parallel N  concurrent runs (2)
  --folder DIR  folder for each run's data, log and result (default: a temporary folder)
  --skip-done   continue in a folder: seeds in its campaign.json are counted, not run again
  --keep        keep the folders of successful runs too
  --plan        print the plans of the runs as JSON, and run nothing
  --json        totals as JSON on standard output instead of Markdown
  --help        this text
A run is determined by its seed: a small world, faults of its upstreams, kills of the service. At the end the world stops,
and every answer is compared with its ground truth. A missing row without a coverage gap, or a duplicate row, fails the
run, and its folder is kept. Exits with 1 if a run failed, with 2 if none could be run. The folder's campaign.json and
campaign.md hold the table so far, written after every run.`;

const { values } = readOptions("campaign", {
  options: {
    runs: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    parallel: { type: "string", default: "2" },
    folder: { type: "string" },
    "skip-done": { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    plan: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const whole = (option: string, text: string): number =>
  readNumber("campaign", option, text, { least: 1, isWhole: true });

function seedsOf(): number[] {
  if (values.only !== undefined) return values.only.split(",").map((text) => whole("only", text));
  const first = whole("seed", values.seed);
  return Array.from({ length: whole("runs", values.runs) }, (_, place) => first + place);
}

const bySeed = (results: readonly RunResult[]): RunResult[] => results.toSorted((a, b) => a.seed - b.seed);

function resultsDone(folder: string): RunResult[] {
  const file = join(folder, "campaign.json");
  if (!values["skip-done"] || !existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, "utf8")) as { results: RunResult[] }).results;
}

/** Written to a temporary file and renamed, so that an interrupted campaign leaves the last complete results. */
function writeResults(folder: string, results: readonly RunResult[]): void {
  const totals = addUp(results);
  const texts = {
    "campaign.json": JSON.stringify({ totals, results: bySeed(results) }, undefined, 2),
    "campaign.md": `${toMarkdown(totals)}\n`,
  };
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(folder, `${name}.new`), text);
    renameSync(join(folder, `${name}.new`), join(folder, name));
  }
}

async function runAll(seeds: readonly number[], folder: string): Promise<RunResult[]> {
  const template = join(folder, "template");
  await makeTemplate(template, join(folder, "template.log"));
  const results = resultsDone(folder);
  const done = new Set(results.map(({ seed }) => seed));
  const waiting = seeds.filter((seed) => !done.has(seed));
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const own = join(folder, `seed-${seed}`);
      const result = await runApart(seed, template, own);
      results.push(result);
      writeResults(folder, results);
      say([runLine(result), ...(result.isGood ? [] : failureLines(result))].join("\n"));
      if (!values.keep && result.isGood) rmSync(own, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: whole("parallel", values.parallel) }, work));
  rmSync(template, { recursive: true, force: true });
  return bySeed(results);
}

async function main(): Promise<number> {
  const seeds = seedsOf();
  if (values.plan) {
    print(
      JSON.stringify(
        seeds.map((seed) => drawRun(seed)),
        undefined,
        2,
      ),
    );
    return 0;
  }
  const folder =
    values.folder === undefined ? mkdtempSync(join(tmpdir(), "almanac-campaign-")) : resolve(values.folder);
  mkdirSync(folder, { recursive: true });
  const results = await runAll(seeds, folder);
  const totals = addUp(results);
  writeResults(folder, results);
  print(values.json ? JSON.stringify(totals) : toMarkdown(totals));
  say(`results: ${folder}/campaign.json`);
  return totals.failed.length === 0 ? 0 : 1;
}

if (values.help) print(HELP);
else await runCommand("campaign", main);
