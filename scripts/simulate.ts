// The simulation: the campaign's faults and many more on a simulated clock, network and disk, in one process.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { temporaryFolder } from "./vitest/keep-temporary-folder.ts";
import { addUp, toMarkdown } from "./campaign/campaign-table.ts";
import { failureLines, runLine } from "./campaign/run-result.ts";
import { createLog } from "../packages/server/src/log.ts";
import { drawSimulation } from "./simulate/draw-simulation.ts";
import { runSeed, type SimResult } from "./simulate/run-seed.ts";
import { openGround } from "./simulate/sim-ground.ts";
import { takeMachine } from "./simulate/sim-machine.ts";
import { takeThreads } from "./simulate/life.ts";
import { takeNetwork } from "./simulate/sim-network.ts";
import { readOptions } from "./read-options.ts";

const HELP = `npm run simulate -- [options]
  --seeds A..B  a range of seeds, or a comma-separated list (1..20)
  --twice       run each seed twice: the requests that reach the exchanges must be identical
  --plan        print the plans of the runs as JSON, and run nothing
  --json        totals as JSON on standard output instead of Markdown
  --log LEVEL   level of the service's log on standard error (silent)
  --help        this text
A run is determined by its seed: a world, faults of its upstreams, network and disk, and kills at any await. Gathering,
store and serving index run unchanged on a simulated clock, which advances as soon as nothing is running; the column
engine is real, and shared by all seeds. At the end the world stops, and every answer, from index and engine, is compared
with the world's ground truth. A missing row without a coverage gap, a duplicate row, or two different answers fail the
run. Exits with 1 if a run failed, naming the seed and commit that reproduce it; with 2 if none could be run.`;

const { values } = readOptions("simulate", {
  options: {
    seeds: { type: "string", default: "1..20" },
    twice: { type: "boolean", default: false },
    plan: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    log: { type: "string", default: "silent" },
    help: { type: "boolean", default: false },
  },
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

function seedsOf(text: string): number[] {
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  const seeds =
    first === undefined || last === undefined
      ? text.split(",").map(Number)
      : Array.from({ length: Math.max(0, Number(last) - Number(first) + 1) }, (_, place) => Number(first) + place);
  if (seeds.length > 0 && seeds.every((seed) => Number.isSafeInteger(seed) && seed > 0)) return seeds;
  throw new Error(`--seeds is ${text}: expected 1..20 or 3,5,8`);
}

const commit = (): string => {
  const [head, changes] = [
    ["rev-parse", "--short", "HEAD"],
    ["status", "--porcelain", "-uno"],
  ].map((args) => execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim());
  return `${head}${changes === "" ? "" : " with changes"}`;
};

const report = (result: SimResult): void => {
  const lines = [
    `${runLine(result)}  files found damaged: ${result.damaged}  ${result.requests} requests, trace ${result.trace}`,
  ];
  say([...lines, ...(result.isGood ? [] : failureLines(result))].join("\n"));
};

async function runAll(seeds: readonly number[]): Promise<SimResult[]> {
  takeMachine();
  takeNetwork();
  takeThreads();
  // Run data is temporary, so it may live in memory.
  const inMemory = temporaryFolder();
  if (inMemory !== undefined) {
    mkdirSync(inMemory, { recursive: true });
    process.env["TMPDIR"] = inMemory;
    process.once("exit", () => rmSync(inMemory, { recursive: true, force: true }));
  }
  const ground = await openGround();
  const log = createLog(values.log, process.stderr);
  const results: SimResult[] = [];
  try {
    for (const seed of seeds) {
      const plan = drawSimulation(seed);
      let result = await runSeed(plan, ground, log);
      if (values.twice) {
        const again = await runSeed(plan, ground, log);
        const problem = `run twice, it was not the same: ${result.trace} and ${again.trace}`;
        if (again.trace !== result.trace)
          result = { ...result, isGood: false, problems: [...result.problems, problem] };
      }
      results.push(result);
      report(result);
    }
  } finally {
    await ground.close();
  }
  return results;
}

async function main(): Promise<number> {
  const seeds = seedsOf(values.seeds);
  if (values.plan) {
    print(JSON.stringify(seeds.map(drawSimulation), undefined, 2));
    return 0;
  }
  const results = await runAll(seeds);
  const totals = addUp(results);
  print(values.json ? JSON.stringify(totals) : toMarkdown(totals));
  if (totals.failed.length === 0) return 0;
  say(`at commit ${commit()}: npm run simulate -- --seeds ${totals.failed.join(",")}`);
  return 1;
}

if (values.help) print(HELP);
else {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  try {
    process.exit(await main());
  } catch (error) {
    say(`simulate: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exit(2);
  }
}
