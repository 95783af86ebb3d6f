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
  query    p50, p99 and requests/s of each dataset over HTTP, beside the same SQL sent to the engine directly
           --data DIR     a data folder with a loaded world (.almanac/bench)
           --seconds N    duration of each measurement (5)
           --clients A,B  concurrent clients (1,16)
           --only A,B     queries whose name begins with one of these (all)
  costs    CPU of engine and service for the most expensive queries of the free plan, beside their cost units
           --data DIR     as for query; nothing is answered from a serving index
           --only A,B     queries whose name begins with one of these (all)
  ingest   rows/s into the store by batch size
  freshness  time from the exchange's message to the first answer that contains it, in real time
           --seconds N    duration of the measurement (120)
           --events N     open Polymarket events (800: 2,000 markets and 4,000 order books)
           --kalshi N     open Kalshi markets (400)
           --activity X   trading frequency, as a multiple of the default (4)
           --source S     source of 556: chain (default) or data
           --off A,B      streams turned off
           --ready N      maximum seconds to wait for all streams to catch up first (120)
           --json FILE    where all measured ages are written (/tmp/almanac-freshness.json)
  dashboard  first page views in a real browser: paints, script time, bytes; scrolling through a table of 10,000 rows
           --visits N     visits of each page with an empty cache (5)
  derive   derives all tables from the ledger; compares every wallet's cash with the world's ground truth
           --fills N      fills of the world (1000000)
           --folder D     where the world and its store are created and kept (/tmp/almanac-derive)
           --tables A,B   only these, each measured separately in this order, sources first (all together)
  live     CPU of a minute of fills and everything derived from them, beside an idle minute; the fills stay in the store
           --data DIR     a data folder with all tables derived, e.g. D/store-N of derive
           --fills N      fills of the minute (1000)
           --late         as one page, on the last complete day of the store
  peers    Almanac beside Fastify with PostgreSQL and beside bare node:http: same rows, same queries
           --fills N      fills of the world (5000000)
           --data DIR     where the world, its store and PostgreSQL's tables are created and kept (/tmp/almanac-peers)
           --seconds N    duration of each measurement (5)
           --clients A,B  concurrent clients (1,16,64); ratios are taken at 16
           --only A,B     of trades, cold, zipf, poller, derived, boards, search, storing (all)
           --chart FILE   the ratios as a chart (SVG)
           --json         the ratios as JSON, as the last line
  abuse    latency of a paying key at a fixed rate: alone, and while other clients abuse the service
           --fills N      fills of the world (300000)
           --data DIR     where the world and its store are created and kept (/tmp/almanac-abuse)
           --seconds N    duration of each scene (30)
           --rate N       requests per second of the paying key (20)
           --only A,B     of expensive, idle, strangers, slow, ingest, all, "alone again", each compared with alone (all)
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
