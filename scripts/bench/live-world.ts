import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExchangeUrls } from "../../packages/exchange/src/serve-options.ts";
import { EXCHANGE, startChild, type Started } from "../service/start-child.ts";
import { makeUnboundedKey } from "../service/report-service.ts";
import { PAID_PACE, venueSettings } from "../service/venue-settings.ts";
import { asker, type Ask } from "../verify/ask.ts";

const SERVICE = fileURLToPath(new URL("gathering-service.ts", import.meta.url));
/** Required time caught up: by then sockets for markets discovered meanwhile are open too. */
const CALM_SECONDS = 12;

export type LiveWorldOptions = {
  readonly events: number;
  readonly kalshiMarkets: number;
  readonly activity: number;
  /** The longest wait for every stream to catch up, in seconds. */
  readonly readyWithin: number;
  readonly streamsOff: string;
  /** Source of the fills. */
  readonly source: "chain" | "data";
};

export type LiveWorld = {
  readonly ask: Ask;
  /** Addresses on which the exchanges listen. */
  readonly urls: ExchangeUrls;
  /** Real milliseconds since a timestamp of the world, which runs at real time. */
  readonly sinceSent: (worldMs: number) => number;
};

/** Starts the paper exchanges at real time and the service as two processes, caught up; both end when `work` does. */
export async function withLiveWorld(
  options: LiveWorldOptions,
  work: (world: LiveWorld) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "almanac-live-world-"));
  const running: Started<unknown>[] = [];
  try {
    const { events, kalshiMarkets, activity } = options;
    const sizes = { events, "kalshi-markets": kalshiMarkets, activity, speed: 1, days: 0.1 };
    const flags = Object.entries(sizes).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const exchange = await startChild<ExchangeUrls>([EXCHANGE, "serve", "--json", ...flags], process.env);
    running.push(exchange);
    const clock = await fetch(`${exchange.said.control_url}/clock`);
    const ahead = ((await clock.json()) as { now_ms: number }).now_ms - Date.now();
    const environment = {
      ...process.env,
      ...venueSettings(exchange.said),
      ...PAID_PACE,
      ...(options.source === "data" && { POLYGON_RPC_URL: "" }),
      ALMANAC_DATA_DIR: dataDir,
      ALMANAC_PORT: "0",
      LOG_LEVEL: process.env["LOG_LEVEL"] ?? "fatal",
      STREAMS_OFF: options.streamsOff,
    };
    const service = await startChild([SERVICE, String(ahead)], environment);
    running.push(service);
    const key = await makeUnboundedKey(environment);
    await untilReady(service, options.readyWithin);
    await work({
      ask: asker(service.said["base_url"] ?? "", key),
      urls: exchange.said,
      sinceSent: (worldMs) => Date.now() + ahead - worldMs,
    });
  } finally {
    for (const one of running.toReversed()) await one.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type StreamSaid = { readonly name: string; readonly state: string };

/** Waits until every stream has been caught up for some seconds, or until the timeout, and reports their states. */
async function untilReady({ child }: Started<unknown>, within: number): Promise<void> {
  let streams: readonly StreamSaid[] = [];
  child.on("message", (message) => (streams = message as StreamSaid[]));
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  let readyAt: number | undefined;
  while (elapsed() < within) {
    readyAt = areCaughtUp(streams) ? (readyAt ?? elapsed()) : undefined;
    if (readyAt !== undefined && elapsed() - readyAt > CALM_SECONDS) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const states = streams.map(({ name, state }) => `${name} ${state}`).join(", ");
  process.stderr.write(`ready after ${elapsed().toFixed(1)} s: ${states}\n`);
}

function areCaughtUp(streams: readonly StreamSaid[]): boolean {
  const running = streams.filter(({ state }) => !["off", "replaced", "not started"].includes(state));
  return running.length > 0 && running.every(({ state }) => state === "caught_up");
}
