// Runs recorded real data through the connectors, over HTTP and websockets, into a store, and asks for it again.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openHouse } from "./recorded/open-house.ts";
import { runKilled } from "./recorded/run-killed.ts";
import { runRecorded, type Part } from "./recorded/run-recorded.ts";
import { isWhole, type StreamCount } from "./recorded/stream-count.ts";
import { tableLine, tableTitles } from "./recorded/table-text.ts";

const HELP = `npm run recorded -- [options]
  --dir DIR    the recordings (default: ../shared/recorded beside the repository)
  --part N     N tokens, markets and wallets of the large recordings instead of all
  --cuts       with sockets cut in the middle, answers that fail or are cut, rows that come twice; and in four lives over
               one data folder, three of them ended by kill -9 in the middle of a stream
  --json       one JSON line a stream on standard output
  --help       this text
Every recorded stream goes through its connector from a paper exchange in record mode into a store of its own and is
asked for through the query path. Ends with 1 when a row is lost, doubled or not as it was recorded.`;

const { values } = parseArgs({
  options: {
    dir: { type: "string" },
    part: { type: "string" },
    cuts: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const dir = resolve(values.dir ?? join(import.meta.dirname, "../../shared/recorded"));
  if (!existsSync(dir)) throw new Error(`there are no recordings at ${dir}; say --dir`);
  const most = values.part === undefined ? undefined : Number(values.part);
  if (most !== undefined && !(Number.isSafeInteger(most) && most > 0))
    throw new Error("--part takes a whole number over 0");
  const part = most === undefined ? {} : { tokens: most, candleMarkets: most, wallets: most };
  const differing: StreamCount[] = [];
  if (!values.json) print(tableTitles());
  for await (const count of values.cuts ? cutCounts(dir, part) : wholeCounts(dir, part)) {
    if (!isWhole(count)) differing.push(count);
    print(values.json ? JSON.stringify({ ...count, ok: isWhole(count) }) : tableLine(count));
  }
  for (const { stream, differences = [] } of differing) {
    process.stderr.write(`${stream} is not as it was recorded\n${differences.map((one) => `  ${one}\n`).join("")}`);
  }
  return differing.length === 0 ? 0 : 1;
}

async function* wholeCounts(dir: string, part: Part): AsyncGenerator<StreamCount, void, void> {
  const house = await openHouse(dir);
  try {
    yield* runRecorded(house, part);
  } finally {
    await house.close();
  }
}

async function* cutCounts(dir: string, part: Part): AsyncGenerator<StreamCount, void, void> {
  const { counts, killed, harm } = await runKilled(dir, part);
  process.stderr.write(`killed ${killed} times; harm done after that: ${JSON.stringify(harm)}\n`);
  yield* counts;
}

if (values.help) print(HELP);
else {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`recorded: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
