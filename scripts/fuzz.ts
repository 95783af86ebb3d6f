// Sends any number of requests of a seed to every endpoint of a service in this process, and checks each response.
import { openStage } from "../packages/server/test/fuzz/open-stage.ts";
import { runFuzz, type FuzzReport } from "../packages/server/test/fuzz/run-fuzz.ts";
import { runCommand } from "./run-command.ts";
import { readNumber, readOptions } from "./read-options.ts";

const READY_MS = 1000;
const GROWTH_MIB = 64;

const HELP = `npm run fuzz -- [options]
  --requests N  how many requests (1000000)
  --seed N      of the sequence (1)
  --only N      the request of this place in the sequence alone
  --json        the whole report as JSON on standard output
  --help        this text
Hostile values in every parameter of every dataset, broken bodies, headers, paths and bytes that are hardly HTTP, the
documents, the metrics and every route of the console, by two accounts and an operator. A request is a function of seed and
place; ids, keys and cursors in it are the run's own. Ends with 1 where an answer was a 5xx (other than a 503 that says when
to come again), told a secret or something of another account, or was not of its documented shape; where /ready took over
${READY_MS} ms; where the heap grew by over ${GROWTH_MIB} MiB from a tenth of the run to its end; or where rows changed.`;

const { values } = readOptions("fuzz", {
  options: {
    requests: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const whole = (option: string, text: string): number => readNumber("fuzz", option, text, { isWhole: true });

/** Faults of the run as a whole. */
function faultsOf({ slowestReadyMilliseconds, memory, changed }: FuzzReport): string[] {
  const [early, , late] = memory.map(({ heapMiB }) => heapMiB);
  const grown = Number(late) - Number(early);
  return [
    ...(slowestReadyMilliseconds > READY_MS ? [`/ready took ${Math.round(slowestReadyMilliseconds)} ms`] : []),
    ...(grown > GROWTH_MIB ? [`the heap grew by ${grown} MiB`] : []),
    ...changed.map((name) => `changed: ${name}`),
  ];
}

async function main(): Promise<number> {
  const [requests, seed] = [whole("requests", values.requests), whole("seed", values.seed)];
  const only = values.only === undefined ? undefined : whole("only", values.only);
  const stage = await openStage();
  try {
    const reported = (sent: number, perSecond: number, problems: number): void =>
      say(`${sent} of ${requests} requests, ${perSecond}/s, ${problems} problems`);
    const report = await runFuzz(stage, { seed, requests, only, reported });
    const { problems, problemCount, byKind: _kinds, ...figures } = report;
    const failed = stage.service.lines
      .filter((line) => line["level"] === 50)
      .map((line) => `logged: ${JSON.stringify(line)}`);
    const faults = [...problems, ...faultsOf(report), ...failed];
    for (const fault of faults) say(fault);
    if (problemCount > 0) say("again: npm run fuzz -- --seed N --only INDEX");
    print(JSON.stringify(values.json ? report : { ...figures, problemCount }, undefined, 2));
    return faults.length === 0 ? 0 : 1;
  } finally {
    await stage.close();
  }
}

if (values.help) print(HELP);
else await runCommand("fuzz", main);
