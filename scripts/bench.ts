// Benchmarks: reproducible figures. Not run in CI.
import { benchAbuse } from "./bench/abuse.ts";
import { benchCosts } from "./bench/costs.ts";
import { benchDashboard } from "./bench/dashboard.ts";
import { benchDerive } from "./bench/derive.ts";
import { benchFreshness } from "./bench/freshness.ts";
import { benchIngest } from "./bench/ingest.ts";
import { benchLive } from "./bench/live.ts";
import { benchPeers } from "./bench/peers.ts";
import { benchQuery } from "./bench/query.ts";
import { readNumber, readOptions } from "./read-options.ts";

const HELP = `npm run bench -- <name> [options]
  query    p50, p99 and requests/s of each dataset over HTTP, beside the same SQL straight to the engine
           --data DIR     a data folder with a loaded world (.almanac/bench)
           --seconds N    how long each line is measured (5)
           --clients A,B  how many ask at once (1,16)
           --only A,B     questions whose name begins so (all)
  costs    CPU of the column engine and the service for the dearest questions of the free plan, beside their units
           --data DIR     as of query; nothing is served from an index
           --only A,B     questions whose name begins so (all)
  ingest   rows/s into the store by batch size
  freshness  from the exchange's send to the first answer that has it, at real time
           --seconds N    how long it is measured (120)
           --events N     standing Polymarket events (800, which are 2,000 markets and 4,000 books)
           --kalshi N     standing Kalshi markets (400)
           --activity X   how often everybody trades, times the usual (4)
           --source S     where 556 comes from: chain (default), or data
           --off A,B      streams that are not gathered
           --ready N      longest wait for every stream to catch up first, in seconds (120)
           --json FILE    every age (/tmp/almanac-freshness.json)
  dashboard  first views in a real browser: paints, script, bytes; a table of 10,000 rows scrolled through
           --visits N     visits of each page with an empty cache (5)
  derive   everything worked out from the ledger, from zero; every wallet's cash against the world's truth
           --fills N      fills of the world (1000000)
           --folder D     where the world and its store go and stay (/tmp/almanac-derive)
           --tables A,B   only these, each measured apart, in this order: what they read first (all in one)
  live     CPU of a minute of fills with all that hangs on them, beside one without; they stay in the store
           --data DIR     a data folder with everything worked out, e.g. derive's D/store-N
           --fills N      fills of the minute (1000)
           --late         in one page, on the last day of the store, which is over
  peers    Almanac beside Fastify with PostgreSQL and beside bare node:http: the same rows, the same questions
           --fills N      fills of the world (5000000)
           --data DIR     where the world, its store and PostgreSQL's tables go and stay (/tmp/almanac-peers)
           --seconds N    how long each line is measured (5)
           --clients A,B  how many ask at once (1,16,64); ratios are those of 16
           --only A,B     of trades, cold, zipf, poller, derived, boards, search, storing (all)
           --chart FILE   the ratios as a chart (SVG)
           --json         the ratios as JSON, as the last line
  abuse    a paying key at a fixed rate: alone, and while others do their worst
           --fills N      fills of the world (300000)
           --data DIR     where the world and its store go and stay (/tmp/almanac-abuse)
           --seconds N    how long each scene is (30)
           --rate N       questions a second of the paying key (20)
           --only A,B     of expensive, idle, strangers, slow, ingest, all, "alone again", each beside alone (all)
           --json         the figures as JSON, as the last line`;

// For `freshness` it takes a file name, elsewhere it is a switch.
const jsonType = process.argv.includes("freshness") ? "string" : "boolean";

const { values, positionals } = readOptions("bench", {
  allowPositionals: true,
  options: {
    data: { type: "string" },
    seconds: { type: "string" },
    clients: { type: "string" },
    rate: { type: "string", default: "20" },
    only: { type: "string", default: "" },
    events: { type: "string", default: "800" },
    kalshi: { type: "string", default: "400" },
    activity: { type: "string", default: "4" },
    source: { type: "string", default: "chain" },
    off: { type: "string", default: "" },
    ready: { type: "string", default: "120" },
    json: { type: jsonType },
    visits: { type: "string", default: "5" },
    fills: { type: "string" },
    folder: { type: "string", default: "/tmp/almanac-derive" },
    tables: { type: "string", default: "" },
    chart: { type: "string", default: "" },
    late: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const number = (option: string, text: string): number => readNumber("bench", option, text);
const listOf = (text: string): readonly string[] => text.split(",").filter(Boolean);

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  query: () =>
    benchQuery({
      data: values.data ?? ".almanac/bench",
      seconds: number("seconds", values.seconds ?? "5"),
      clients: listOf(values.clients ?? "1,16").map((text) => number("clients", text)),
      only: listOf(values.only),
    }),
  costs: () => benchCosts(values.data ?? ".almanac/bench", listOf(values.only)),
  ingest: benchIngest,
  freshness: () =>
    benchFreshness({
      seconds: number("seconds", values.seconds ?? "120"),
      events: number("events", values.events),
      kalshiMarkets: number("kalshi", values.kalshi),
      activity: number("activity", values.activity),
      source: values.source === "data" ? "data" : "chain",
      streamsOff: values.off,
      readyWithin: number("ready", values.ready),
      json: String(values.json ?? "/tmp/almanac-freshness.json"),
    }),
  dashboard: () =>
    benchDashboard({
      visits: number("visits", values.visits),
      print: (line) => void process.stdout.write(`${line}\n`),
    }),
  derive: () =>
    benchDerive({
      fills: number("fills", values.fills ?? "1000000"),
      folder: values.folder,
      tables: listOf(values.tables),
    }),
  live: () =>
    benchLive({
      data: values.data ?? "/tmp/almanac-derive/store-1000000",
      fills: number("fills", values.fills ?? "1000"),
      isLate: values.late,
    }),
  peers: () =>
    benchPeers({
      fills: number("fills", values.fills ?? "5000000"),
      data: values.data ?? "/tmp/almanac-peers",
      seconds: number("seconds", values.seconds ?? "5"),
      clients: listOf(values.clients ?? "1,16,64").map((text) => number("clients", text)),
      only: listOf(values.only),
      chart: values.chart,
      json: values.json === true,
    }),
  abuse: () =>
    benchAbuse({
      fills: number("fills", values.fills ?? "300000"),
      data: values.data ?? "/tmp/almanac-abuse",
      seconds: number("seconds", values.seconds ?? "30"),
      rate: number("rate", values.rate),
      only: listOf(values.only),
      json: values.json === true,
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
