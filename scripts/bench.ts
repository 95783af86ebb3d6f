// Benchmarks: figures that anyone can make again. They are not run in CI.
import { parseArgs } from "node:util";
import { benchIngest } from "./bench/ingest.ts";
import { benchQuery } from "./bench/query.ts";

const HELP = `npm run bench -- <name> [options]
  query    p50, p99 and requests/s of each dataset over HTTP, beside the same SQL straight to the engine
           --data DIR     a data folder with a loaded world (.almanac/bench)
           --seconds N    how long each line is measured (5)
           --clients A,B  how many ask at once (1,16)
  ingest   rows/s into the store by batch size`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string", default: ".almanac/bench" },
    seconds: { type: "string", default: "5" },
    clients: { type: "string", default: "1,16" },
    help: { type: "boolean", default: false },
  },
});

const [name = ""] = positionals;
if (values.help || !["query", "ingest"].includes(name)) {
  process.stdout.write(`${HELP}\n`);
  process.exitCode = values.help || name === "" ? 0 : 2;
} else if (name === "query") {
  await benchQuery({
    data: values.data,
    seconds: Number(values.seconds),
    clients: values.clients.split(",").map(Number),
  });
} else {
  await benchIngest();
}
