// Benchmarks: reproducible figures. Not run in CI.
import { existsSync } from "node:fs";
import { benchAbuse } from "./bench/abuse.ts";
import { SCENES } from "./bench/abuse/scenes.ts";
import { benchCosts } from "./bench/costs.ts";
import { benchDashboard } from "./bench/dashboard.ts";
import { benchDerive } from "./bench/derive.ts";
import { benchFreshness } from "./bench/freshness.ts";
import { benchIngest } from "./bench/ingest.ts";
import { benchLive } from "./bench/live.ts";
import { benchPeers } from "./bench/peers.ts";
import { MIX_NAMES } from "./bench/peers/mixes.ts";
import { benchQuery } from "./bench/query.ts";
import { readNumber, readOptions, refuse } from "./read-options.ts";

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

type Defaults = Readonly<Record<string, string | boolean>>;
type Values<T extends Defaults> = { readonly [Option in keyof T]: T[Option] extends string ? string : boolean };

/** A benchmark's options, declared by their defaults: a text, or false for a switch. */
function read<const T extends Defaults>(args: string[], defaults: T): Values<T> {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      typeof value === "string"
        ? { type: "string" as const, default: value }
        : { type: "boolean" as const, default: value },
    ]),
  );
  return readOptions("bench", { args, options }).values as Values<T>;
}

const number = (option: string, text: string): number => readNumber("bench", option, text);
const listOf = (text: string): readonly string[] => text.split(",").filter(Boolean);
const numbers = (option: string, text: string): readonly number[] => listOf(text).map((each) => number(option, each));

function among(option: string, text: string, names: readonly string[]): readonly string[] {
  const parts = listOf(text);
  const stray = parts.find((part) => !names.includes(part));
  if (stray !== undefined) refuse("bench", `--${option} has "${stray}": expected ${names.join(", ")}`);
  return parts;
}

const BENCHES: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  query: (args) => {
    const { data, seconds, clients, only } = read(args, QUERY);
    return benchQuery({
      data,
      seconds: number("seconds", seconds),
      clients: numbers("clients", clients),
      only: listOf(only),
    });
  },
  costs: (args) => {
    const { data, only } = read(args, { data: ".almanac/bench", only: "" });
    return benchCosts(data, listOf(only));
  },
  ingest: (args) => {
    read(args, {});
    return benchIngest();
  },
  freshness: (args) => {
    const { seconds, events, kalshi, activity, source, off, ready, json } = read(args, FRESHNESS);
    return benchFreshness({
      seconds: number("seconds", seconds),
      events: number("events", events),
      kalshiMarkets: number("kalshi", kalshi),
      activity: number("activity", activity),
      source: among("source", source, ["chain", "data"]).includes("data") ? "data" : "chain",
      streamsOff: off,
      readyWithin: number("ready", ready),
      json,
    });
  },
  dashboard: (args) =>
    benchDashboard({
      visits: number("visits", read(args, { visits: "5" }).visits),
      print: (line) => void process.stdout.write(`${line}\n`),
    }),
  derive: (args) => {
    const { fills, folder, tables } = read(args, { fills: "1000000", folder: "/tmp/almanac-derive", tables: "" });
    return benchDerive({ fills: number("fills", fills), folder, tables: listOf(tables) });
  },
  live: (args) => {
    const { data, fills, late } = read(args, LIVE);
    if (!existsSync(data)) refuse("bench", `--data is "${data}": there is no such folder; \`bench derive\` makes one`);
    return benchLive({ data, fills: number("fills", fills), isLate: late });
  },
  peers: (args) => {
    const { fills, data, seconds, clients, only, chart, json } = read(args, PEERS);
    return benchPeers({
      fills: number("fills", fills),
      data,
      seconds: number("seconds", seconds),
      clients: numbers("clients", clients),
      only: among("only", only, [...MIX_NAMES, "storing"]),
      chart,
      json,
    });
  },
  abuse: (args) => {
    const { fills, data, seconds, rate, only, json } = read(args, ABUSE);
    return benchAbuse({
      fills: number("fills", fills),
      data,
      seconds: number("seconds", seconds),
      rate: number("rate", rate),
      only: among(
        "only",
        only,
        SCENES.map((scene) => scene.name),
      ),
      json,
    });
  },
};

const QUERY = { data: ".almanac/bench", seconds: "5", clients: "1,16", only: "" };
const FRESHNESS = {
  seconds: "120",
  events: "800",
  kalshi: "400",
  activity: "4",
  source: "chain",
  off: "",
  ready: "120",
  json: "/tmp/almanac-freshness.json",
};
const LIVE = { data: "/tmp/almanac-derive/store-1000000", fills: "1000", late: false };
const PEERS = {
  fills: "5000000",
  data: "/tmp/almanac-peers",
  seconds: "5",
  clients: "1,16,64",
  only: "",
  chart: "",
  json: false,
};
const ABUSE = { fills: "300000", data: "/tmp/almanac-abuse", seconds: "30", rate: "20", only: "", json: false };

const [name = "", ...args] = process.argv.slice(2);
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
const isHelp = name === "" || process.argv.includes("--help");
if (isHelp || bench === undefined) {
  process.stdout.write(`${HELP}\n`);
  process.exitCode = isHelp ? 0 : 2;
} else {
  await bench(args);
}
