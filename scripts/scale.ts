// Faults under load: the whole service on many processes, a fault after another, each judged by the world's own truth.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FAULTS } from "./scale/faults.ts";
import type { Fault } from "./scale/fault.ts";
import { printResults } from "./scale/print-results.ts";
import { runFaults, type ScaleResult } from "./scale/run-faults.ts";

const HELP = `npm run scale -- [options]
  --only A,B       these faults alone (--list names them)
  --list           print the faults and end
  --columns S×R    shards × replicas of ClickHouse, as 1x1 or 2x2 (1x1)
  --apis N         api processes (2)
  --ingests N      processes that gather (1)
  --derives N      processes that only derive (0)
  --lease S        life of a lease (7; longer on a busy machine)
  --clients N      clients that ask at once (8)
  --think MS       between an answer and a client's next question (100)
  --warm S, --after S   seconds of load measured before and after each fault (8, 8)
  --recovery S     longest wait until all is as before (90)
  --settle S       longest wait until all is stored once the world stands still (240)
  --activity X     how often everybody trades, times the usual (4)
  --disk MB        size of the small disk under the first ClickHouse node; 0: none (1500; mounting needs root)
  --seed N         of the world (1)
  --folder DIR     logs and data go and stay there (default: a temporary folder, removed)
  --json           the results as JSON on standard output in place of a table, with every 100 ms
  --help           this text
Needs PostgreSQL and redis-server; listens on loopback only. Ends with 1 where a row is lost or doubled, something is
missing without a word, or what a fault promises does not hold; with 2 where it could not be run.`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    list: { type: "boolean", default: false },
    columns: { type: "string", default: "1x1" },
    apis: { type: "string", default: "2" },
    ingests: { type: "string", default: "1" },
    derives: { type: "string", default: "0" },
    lease: { type: "string", default: "7" },
    clients: { type: "string", default: "8" },
    think: { type: "string", default: "100" },
    warm: { type: "string", default: "8" },
    after: { type: "string", default: "8" },
    recovery: { type: "string", default: "90" },
    settle: { type: "string", default: "240" },
    activity: { type: "string", default: "4" },
    disk: { type: "string", default: "1500" },
    seed: { type: "string", default: "1" },
    folder: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (text: string): void => {
  process.stderr.write(`${(performance.now() / 1000).toFixed(1).padStart(7)} s  ${text}\n`);
};

function number(name: keyof typeof values, least = 0): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= least) return value;
  throw new Error(`--${name} is ${String(values[name])}: expected a number of ${least} or more`);
}

function shapeOf(text: string): { shards: number; replicas: number } {
  const [, shards, replicas] = /^([1-9])[x×]([1-9])$/.exec(text) ?? [];
  if (shards === undefined) throw new Error(`--columns is ${text}: expected shards × replicas, as 2x2`);
  return { shards: Number(shards), replicas: Number(replicas) };
}

function chosenFaults(): readonly Fault[] {
  if (values.only === undefined) return FAULTS;
  return values.only.split(",").map((name) => {
    const fault = FAULTS.find((one) => one.name === name);
    if (fault === undefined) throw new Error(`--only names ${name}, which is no fault: see --list`);
    return fault;
  });
}

function run(folder: string, onResult: (sofar: ScaleResult) => void): Promise<ScaleResult> {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopping.abort(new Error(`ended by ${signal}`)));
  }
  return runFaults({
    topology: {
      ...shapeOf(values.columns),
      apis: number("apis", 1),
      ingests: number("ingests", 1),
      derives: number("derives"),
      leaseSeconds: number("lease", 2),
      diskMegabytes: number("disk"),
      seed: number("seed"),
      activity: number("activity"),
      minutes: 30,
      events: 8,
      wallets: 120,
      kalshiMarkets: 10,
      folder,
    },
    faults: chosenFaults(),
    clients: number("clients", 1),
    thinkMs: number("think"),
    seconds: {
      warm: number("warm", 1),
      after: number("after", 1),
      recovery: number("recovery", 1),
      settle: number("settle", 1),
    },
    say,
    onResult,
    signal: stopping.signal,
  });
}

async function main(): Promise<number> {
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), "almanac-scale-"));
  const machine = { cores: availableParallelism(), memory_bytes: totalmem(), load_before: loadavg()[0] };
  const textOf = (sofar: ScaleResult): string => JSON.stringify({ options: values, machine, ...sofar });
  const write = (sofar: ScaleResult): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "scale.json"), textOf(sofar));
    writeFileSync(join(folder, "scale.md"), `${printResults(sofar)}\n`);
  };
  const result = await run(folder, write);
  print(values.json ? textOf(result) : printResults(result));
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  else say(`logs and results: ${folder}`);
  return result.results.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

if (values.help) print(HELP);
else if (values.list) print(FAULTS.map(({ name, seconds, about }) => `${name} (${seconds} s): ${about}`).join("\n"));
else {
  try {
    process.exitCode = await main();
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 2;
  }
}
