// Sends any number of requests of a seed to every endpoint of a service in this process, and checks each response.
import { openStage } from "../packages/server/test/fuzz/open-stage.ts";
import { runFuzz, type FuzzReport } from "../packages/server/test/fuzz/run-fuzz.ts";
import { runCommand } from "./run-command.ts";
import { readNumber, readOptions } from "./read-options.ts";

const READY_MS = 1000;
const GROWTH_MIB = 64;

const HELP = `npm run fuzz -- [options]
  --requests N  number of requests (1000000)
  --seed N      seed of the sequence (1)
  --only N      only the request at this position of the sequence
  --json        the report as JSON on standard output
  --help        this text
Sends hostile values in every parameter of every dataset, malformed bodies, headers and paths, bytes that are hardly HTTP,
and requests for the documents, the metrics and every console route, as two accounts and an operator. A request is
determined by seed and position; its ids, keys and cursors are those of the run. Exits with 1 if an answer was a 5xx (other
than a 503 with Retry-After), leaked a secret or data of another account, or did not have its documented shape; if /ready
took over ${READY_MS} ms; if the heap grew by over ${GROWTH_MIB} MiB after the first tenth of the run; or if rows changed.`;

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
