// Benchmarks: figures that anyone can make again. They are not run in CI.
import { parseArgs } from "node:util";
import { benchDashboard } from "./bench/dashboard.ts";
import { benchDerive } from "./bench/derive.ts";
import { benchFreshness } from "./bench/freshness.ts";
import { benchIngest } from "./bench/ingest.ts";
import { benchLimits } from "./bench/limits.ts";
import { benchMatch } from "./bench/match.ts";
import { benchQuery } from "./bench/query.ts";
import { benchPulse } from "./bench/pulse.ts";
import { benchWorld } from "./bench/world.ts";

const HELP = `npm run bench -- <name> [options]
  query    p50, p99 and requests/s of each dataset over HTTP, beside the same SQL straight to the engine
           --data DIR     a data folder with a loaded world (.almanac/bench)
           --seconds N    how long each line is measured (5)
           --clients A,B  how many ask at once (1,16)
           --only A,B     questions whose name begins so (all)
  derive   everything worked out from the ledger, from zero, then what a minute of live fills costs
           --fills N      fills of the world (1000000)
           --folder D     where the world and its store go and stay (/tmp/almanac-derive)
           --copies N     the world is stored so many times, each with wallets and markets of its own (1)
           --live A,B     fills of the live minutes (100,1000)
           --tables A,B   only these, each measured apart, in this order: what they read first (all in one)
  pulse    p50 and p99 of questions about posts (585, 1007), over HTTP and straight to the engine
           --posts N      posts of three days (1000000)
           --folder D     where the store goes and stays (/tmp/almanac-pulse)
           --seconds N, --clients A,B  as above
  ingest   rows/s into the store by batch size
  dashboard  first views in a real browser: paints, script, bytes; a table of 10,000 rows scrolled through
           --visits N     visits of each page with an empty cache (5)
  limits   what a claim on a key's allowance costs, in memory and in Redis (needs redis-server)
           --seconds N, --clients A,B  as above (2; 1,16)
  match    posts/s through matching to markets on one core, beside a loop of regular expressions
           --keywords N   terms of the dictionary, about (50000)
           --posts N      real posts, over and over (20000)
  world    the service gathers from a large world that runs fast: lag, gaps, memory, CPU, answers meanwhile
           --seconds N    how long it is measured (120)
           --speed X      world seconds a second (60)
           --events N     standing Polymarket events (800, which are 2,000 markets and 4,000 books)
           --kalshi N     standing Kalshi markets (400)
           --activity X   how often everybody trades, times the usual (1)
           --off A,B      streams that are not gathered
           --ready N      longest wait for every stream to catch up first, in seconds (120)
           --profile DIR  CPU profiles of the exchange and of the service
           --json FILE    every second of it (/tmp/almanac-world.json)
  freshness  from the exchange's send to the first answer that has it, at real time
           --seconds N, --events N, --kalshi N, --off, --ready as above (120 s, 800, 400)
           --activity X   how often everybody trades, times the usual (4)
           --source S     where 556 comes from: chain (default), or data
           --json FILE    every age (/tmp/almanac-freshness.json)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fills: { type: "string", default: "1000000" },
    posts: { type: "string" },
    folder: { type: "string" },
    keywords: { type: "string", default: "50000" },
    copies: { type: "string", default: "1" },
    live: { type: "string", default: "100,1000" },
    tables: { type: "string", default: "" },
    data: { type: "string", default: ".almanac/bench" },
    seconds: { type: "string" },
    clients: { type: "string", default: "1,16" },
    only: { type: "string", default: "" },
    speed: { type: "string" },
    visits: { type: "string", default: "5" },
    events: { type: "string", default: "800" },
    kalshi: { type: "string", default: "400" },
    activity: { type: "string" },
    source: { type: "string", default: "chain" },
    off: { type: "string", default: "" },
    ready: { type: "string", default: "120" },
    profile: { type: "string" },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const world = {
  events: Number(values.events),
  kalshiMarkets: Number(values.kalshi),
  readyWithin: Number(values.ready),
  streamsOff: values.off,
  profile: values.profile,
};

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  query: () =>
    benchQuery({
      data: values.data,
      seconds: Number(values.seconds ?? 5),
      clients: values.clients.split(",").map(Number),
      only: values.only.split(",").filter(Boolean),
    }),
  derive: () =>
    benchDerive({
      fills: Number(values.fills),
      copies: Number(values.copies),
      folder: values.folder ?? "/tmp/almanac-derive",
      live: values.live.split(",").filter(Boolean).map(Number),
      tables: values.tables.split(",").filter(Boolean),
    }),
  pulse: () =>
    benchPulse({
      posts: Number(values.posts ?? 1_000_000),
      folder: values.folder ?? "/tmp/almanac-pulse",
      seconds: Number(values.seconds ?? 5),
      clients: values.clients.split(",").map(Number),
    }),
  ingest: benchIngest,
  dashboard: () =>
    benchDashboard({
      visits: Number(values.visits),
      print: (line) => void process.stdout.write(`${line}\n`),
    }),
  limits: () => benchLimits({ seconds: Number(values.seconds ?? 2), clients: values.clients.split(",").map(Number) }),
  match: async () => benchMatch({ keywords: Number(values.keywords), posts: Number(values.posts ?? 20_000) }),
  world: () =>
    benchWorld({
      ...world,
      activity: Number(values.activity ?? 1),
      speed: Number(values.speed ?? 60),
      seconds: Number(values.seconds ?? 120),
      json: values.json ?? "/tmp/almanac-world.json",
    }),
  freshness: () =>
    benchFreshness({
      ...world,
      activity: Number(values.activity ?? 4),
      seconds: Number(values.seconds ?? 120),
      source: values.source === "data" ? "data" : "chain",
      json: values.json ?? "/tmp/almanac-freshness.json",
    }),
};

const [name = ""] = positionals;
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (values.help || bench === undefined) {
  process.stdout.write(`${HELP}\n`);
  process.exitCode = values.help || name === "" ? 0 : 2;
} else {
  await bench();
}
