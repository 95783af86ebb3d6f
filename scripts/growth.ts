// What a store takes and what its questions cost, measured; and what to buy for a load, planned from that.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { growBooks } from "./growth/books.ts";
import { measureFrames } from "./growth/frames.ts";
import { growFills } from "./growth/grow-fills.ts";
import { measure } from "./growth/measure.ts";
import { planCommand } from "./growth/plan-command.ts";
import { simulateCommand } from "./growth/simulate-command.ts";
import { growSynthetic } from "./growth/synthetic.ts";

const HELP = `npm run growth -- <command> [options]
  measure    what each table of a store takes, and what the benchmarks' questions cost, as JSON
             --folder D     a data folder with a store that no service runs on, or on which one does
             --turns N      how often each question is asked (20); 0 asks none
             --only A,B     questions whose name begins so (all)
  synthetic  fills the wallet order of fills with made-up rows and measures marks, index and a page at each size
             --folder D     where its store goes (it is emptied first)
             --sizes A,B    rows (1000000,10000000,50000000)
  fills      made-up fills in all three orders of the table, and what pages of trades cost at each size, as JSON
             --folder D     as above  --sizes A,B (1000000,10000000,50000000)  --turns N  (20)
  books      stores made-up changes of books: bytes and CPU of one
             --folder D     as above
             --runs B:N,…   N rows in batches of B (1000:100000,10000:500000)
  frames     decodes frames of both venues' books (made up, and recorded) and stores them: CPU and heap of a frame and a change
             --folder D     as above
             --frames N     of each socket (60000)  --batch N  rows an insert (5000)
             --recorded D   recordings (../shared/recorded)
  simulate   latency by load on so many cores, with inserts and merges beside, by discrete events
             --cores A,B (2,16)  --question-ms N (8)  --insert-ms N (100)  --seconds N (600)
  plan       bytes, memory, cores, nodes, network, object storage and cost, from scripts/growth/figures.json
             --fills A,B            sizes side by side (20000000,100000000,1000000000,10000000000), or
             --fills-a-day N        with --years: one size
             --years N              over how long the fills came (1)
             --book-changes-a-day N (500000000)  --books-hot-days N (60)  --books-kept-days N (365)
             --questions N          a second (100)  --replicas N (2)  --peak N  busiest hour over the mean (3)
             --prices FILE          USD a month (scripts/growth/prices.json: assumptions of ours)
             --svg FILE  --json`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: "string" },
    turns: { type: "string", default: "20" },
    only: { type: "string", default: "" },
    sizes: { type: "string", default: "1000000,10000000,50000000" },
    runs: { type: "string", default: "1000:100000,10000:500000" },
    frames: { type: "string", default: "60000" },
    batch: { type: "string", default: "5000" },
    recorded: { type: "string", default: fileURLToPath(new URL("../../shared/recorded", import.meta.url)) },
    cores: { type: "string", default: "2,16" },
    "question-ms": { type: "string", default: "8" },
    "insert-ms": { type: "string", default: "100" },
    seconds: { type: "string", default: "600" },
    fills: { type: "string" },
    "fills-a-day": { type: "string" },
    years: { type: "string", default: "1" },
    "book-changes-a-day": { type: "string", default: "500000000" },
    "books-hot-days": { type: "string", default: "60" },
    "books-kept-days": { type: "string", default: "365" },
    questions: { type: "string", default: "100" },
    replicas: { type: "string", default: "2" },
    peak: { type: "string", default: "3" },
    prices: { type: "string" },
    svg: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const migrations = fileURLToPath(new URL("../packages/server/migrations", import.meta.url));
const USUAL = "20000000,100000000,1000000000,10000000000";

const number = (text: string, name: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`--${name} is ${text}: expected a number from 0`);
  return value;
};
const numbers = (text: string, name: string): number[] => text.split(",").map((one) => number(one, name));
const folder = (): string => {
  if (values.folder === undefined) throw new RangeError("--folder is missing: name one");
  return values.folder;
};

const COMMANDS: Readonly<Record<string, () => string | Promise<string>>> = {
  measure: async () => {
    const only = values.only.split(",").filter(Boolean);
    return `${JSON.stringify(await measure({ folder: folder(), turns: number(values.turns, "turns"), only }), null, 1)}\n`;
  },
  synthetic: async () =>
    `${JSON.stringify(await growSynthetic({ folder: folder(), sizes: numbers(values.sizes, "sizes"), migrations }), null, 1)}\n`,
  fills: async () => {
    const [sizes, turns] = [numbers(values.sizes, "sizes"), number(values.turns, "turns")];
    return `${JSON.stringify(await growFills({ folder: folder(), sizes, turns, migrations }), null, 1)}\n`;
  },
  books: async () => {
    const runs = values.runs.split(",").map((run) => {
      const [batch = "", rows = ""] = run.split(":");
      return { batch: number(batch, "runs"), rows: number(rows, "runs") };
    });
    return `${JSON.stringify(await growBooks({ folder: folder(), runs, migrations }), null, 1)}\n`;
  },
  frames: async () => {
    const [most, batch] = [number(values.frames, "frames"), number(values.batch, "batch")];
    const options = { folder: folder(), migrations, recorded: values.recorded, most, batch };
    return `${JSON.stringify(await measureFrames(options), null, 1)}\n`;
  },
  simulate: () =>
    simulateCommand({
      cores: numbers(values.cores, "cores"),
      questionCpuMs: number(values["question-ms"], "question-ms"),
      insertCpuMs: number(values["insert-ms"], "insert-ms"),
      seconds: number(values.seconds, "seconds"),
    }),
  plan: () => {
    const aDay = values["fills-a-day"];
    return planCommand({
      fills: values.fills === undefined && aDay !== undefined ? [] : numbers(values.fills ?? USUAL, "fills"),
      fillsADay: aDay === undefined ? undefined : number(aDay, "fills-a-day"),
      bookChangesADay: number(values["book-changes-a-day"], "book-changes-a-day"),
      years: number(values.years, "years"),
      booksHotDays: number(values["books-hot-days"], "books-hot-days"),
      booksKeptDays: number(values["books-kept-days"], "books-kept-days"),
      questions: number(values.questions, "questions"),
      replicas: number(values.replicas, "replicas"),
      peak: number(values.peak, "peak"),
      prices: values.prices,
      svg: values.svg,
      isJson: values.json,
    });
  },
};

const [name = ""] = positionals;
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (values.help || command === undefined) {
  process.stdout.write(`${HELP}\n`);
  process.exitCode = values.help || name === "" ? 0 : 2;
} else {
  process.stdout.write(await command());
}
