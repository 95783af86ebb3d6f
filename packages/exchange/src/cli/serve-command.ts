import { defineCommand } from "citty";
import { serveExchange } from "../serve.ts";
import type { ExchangeUrls, ServeOptions, EndpointName } from "../serve-options.ts";
import { failPlainly, readFaultPlan, readNumber, requireKnown } from "./command-line.ts";

/** Endpoints in the order in which --port-base assigns their ports. */
const ENDPOINTS: readonly EndpointName[] = [
  "gamma",
  "clob",
  "data",
  "ws",
  "rpc",
  "kalshi",
  "control",
  "rtds",
  "hackernews",
  "gdelt",
  "x",
  "jetstream",
];

/** Ports by endpoint: --port-base plus the endpoint's index, or any free port without it. */
function readPorts(base: unknown): Partial<Record<EndpointName, number>> {
  if (typeof base !== "string") return {};
  const first = readNumber("port-base", base, { min: 1, max: 65_535 - ENDPOINTS.length });
  return Object.fromEntries(ENDPOINTS.map((endpoint, index) => [endpoint, first + index]));
}

const FLAGS = {
  seed: { type: "string", default: "7", description: "Seed of the world", valueHint: "N" },
  speed: { type: "string", default: "60", description: "World seconds a second; 0 stands still", valueHint: "X" },
  from: { type: "string", description: "First moment of the world, ISO-8601; default: --days before now" },
  days: { type: "string", default: "3", description: "Days of history before the first request", valueHint: "N" },
  events: { type: "string", description: "Standing Polymarket events (120; 800 are 2,000 markets)", valueHint: "N" },
  "kalshi-markets": { type: "string", description: "Standing Kalshi markets (100)", valueHint: "N" },
  activity: { type: "string", description: "How often everybody trades, times the usual", valueHint: "X" },
  talk: { type: "string", description: "How much people talk, times the usual; 0 is silence", valueHint: "X" },
  hostile: { type: "string", description: "Share of events and posts with hostile texts, 0 to 1", valueHint: "X" },
  host: { type: "string", default: "127.0.0.1", description: "Address to listen on" },
  "port-base": { type: "string", description: "First of twelve ports in a row; default: free ones", valueHint: "N" },
  faults: { type: "string", description: "Fault plan: what goes wrong (see: exchange faults)", valueHint: "FILE" },
  limits: { type: "boolean", default: false, description: "Limit requests as the real exchanges do" },
  json: { type: "boolean", default: false, description: "Print the addresses as one line of JSON" },
} as const;

/**
 * `exchange serve`: serves a world and its endpoints until a signal. Standard output has the addresses only, standard
 * error the errors.
 */
export const serveCommand = defineCommand({
  meta: { name: "serve", description: "Play the exchanges over their wire protocols" },
  args: FLAGS,
  run: ({ args, rawArgs }) =>
    failPlainly(async () => {
      requireKnown(rawArgs, FLAGS);
      const exchange = await serveExchange(readOptions(args));
      const stopped = signal();
      process.stdout.write(args.json ? `${JSON.stringify(exchange.urls)}\n` : table(exchange.urls));
      await stopped;
      await exchange.close();
    }),
});

function readOptions(args: Record<string, unknown>): ServeOptions {
  const text = (name: string) => String(args[name]);
  return {
    seed: readNumber("seed", text("seed"), { min: 0, max: 2 ** 32 - 1 }),
    speed: readNumber("speed", text("speed").replace(/x$/, ""), { min: 0, max: 1_000_000 }),
    days: readNumber("days", text("days"), { min: 0.01, max: 3660 }),
    from_ms: args["from"] === undefined ? undefined : readTimestamp(text("from")),
    host: text("host"),
    ports: readPorts(args["port-base"]),
    faults: args["faults"] === undefined ? undefined : readFaultPlan(text("faults")),
    limits: args["limits"] === true,
    world: readSizes(args),
  };
}

function readSizes(args: Record<string, unknown>): ServeOptions["world"] {
  const size = (flag: string, max: number, min = 0.01) =>
    args[flag] === undefined ? undefined : readNumber(flag, String(args[flag]), { min, max });
  const talk = size("talk", 1000, 0);
  const hostile = size("hostile", 1, 0);
  const [events, markets, activity] = [size("events", 20_000), size("kalshi-markets", 50_000), size("activity", 1000)];
  return {
    ...(events !== undefined && { events: Math.ceil(events) }),
    ...(markets !== undefined && { kalshi_markets: Math.ceil(markets) }),
    ...(activity !== undefined && { activity }),
    ...(talk !== undefined && { talk }),
    ...(hostile !== undefined && { hostile }),
  };
}

function readTimestamp(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`--from must be an ISO-8601 moment, got "${text}"`);
  return ms;
}

function table(urls: ExchangeUrls): string {
  const lines = Object.entries(urls)
    .filter(([name]) => name !== "kalshi_private_key_pem")
    .map(([name, value]) => `${name.padEnd(16)} ${value}`);
  return `${lines.join("\n")}\n${urls.kalshi_private_key_pem}`;
}

function signal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve()).once("SIGINT", () => resolve());
  });
}
