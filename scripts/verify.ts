// Runs the whole service on the paper exchanges and compares what callers are answered with the truth, row by row.
import { parseArgs } from "node:util";
import { printVerdict } from "./verify/print-verdict.ts";
import { SOCIAL_STREAMS } from "./verify/social-streams.ts";
import { verifyWorld } from "./verify/verify-world.ts";

const HELP = `npm run verify -- [options]
  --source S   where Polymarket's fills come from: chain (default), or data, with the chain turned on afterwards
  --days N     days of history the world begins with (3)
  --seed N     seed of the simulated world (7)
  --live N     seconds the world goes on while it is asked (20)
  --books N    random past moments of each venue's books (300)
  --everything gathers Kalshi's candles and posts too: they are not compared, and three calls a second take long
  --json       the verdict as JSON on standard output
  --help       this text
Ends with 1 where a row is lost, doubled or wrong.`;

const { values } = parseArgs({
  options: {
    source: { type: "string", default: "chain" },
    days: { type: "string", default: "3" },
    seed: { type: "string", default: "7" },
    live: { type: "string", default: "20" },
    books: { type: "string", default: "300" },
    everything: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const SETTLE_MS = 600_000;

function number(name: "days" | "seed" | "live" | "books"): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= 0 && values[name].trim() !== "") return value;
  process.stderr.write(`verify: --${name} is ${values[name]}: expected a number\n`);
  process.exit(2);
}

if (values.help) {
  process.stdout.write(`${HELP}\n`);
} else if (values.source !== "chain" && values.source !== "data") {
  process.stderr.write(`verify: --source is ${values.source}: expected chain or data\n`);
  process.exitCode = 2;
} else {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  const verdict = await verifyWorld({
    source: values.source,
    days: number("days"),
    seed: number("seed"),
    liveSeconds: number("live"),
    books: number("books"),
    settleMs: SETTLE_MS,
    streamsOff: values.everything ? [] : ["kalshi-candles", ...SOCIAL_STREAMS],
    say: (text) => void process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${text}\n`),
  });
  process.stdout.write(`${values.json ? JSON.stringify(verdict) : printVerdict(verdict)}\n`);
  process.exitCode = verdict.isAgreed ? 0 : 1;
}
