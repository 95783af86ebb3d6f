import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild, type Started } from "./child-process.ts";
import { makeKey } from "./make-key.ts";
import { startExchange, type PaperExchange } from "./paper-exchange.ts";
import { watchService, type Sample, type StreamSaid, type Watch } from "./world-watch.ts";

const SERVICE = fileURLToPath(new URL("gathering-service.ts", import.meta.url));
/** Caught up for so long: sockets for markets that became known meanwhile are open too. */
const CALM_SECONDS = 12;

export type WorldScene = {
  readonly exchange: PaperExchange;
  readonly service: Started;
  readonly key: string;
  readonly watch: Watch;
  /** Real seconds until every stream had caught up, or the longest wait. */
  readonly readySeconds: number;
};

export type SceneOptions = {
  readonly events: number;
  readonly kalshiMarkets: number;
  readonly activity: number;
  readonly readyWithin: number;
  readonly streamsOff: string;
  /** Settings to leave unset. */
  readonly without?: readonly string[];
  /** A folder for CPU profiles of exchange and service. */
  readonly profile?: string | undefined;
};

/** The paper exchanges and the service, two processes of their own, caught up; both end when `work` does. */
export async function withWorld(options: SceneOptions, work: (scene: WorldScene) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "almanac-world-"));
  const running: { readonly stop: () => Promise<void> }[] = [];
  try {
    const exchange = await startExchange(flagsOf(options), profiling(options.profile, "exchange"));
    running.push(exchange);
    const given = { ...exchange.settings };
    for (const name of options.without ?? []) given[name] = "";
    const environment = {
      ...process.env,
      ...given,
      ALMANAC_DATA_DIR: dataDir,
      ALMANAC_PORT: "0",
      LOG_LEVEL: process.env["LOG_LEVEL"] ?? "fatal",
      STREAMS_OFF: options.streamsOff,
    };
    const service = await startChild([SERVICE], environment, profiling(options.profile, "service"));
    running.push(service);
    const watch = watchService(service, exchange.pid);
    await pace(1, exchange, service);
    const key = await makeKey(environment);
    const readySeconds = await untilReady(watch, options.readyWithin);
    say(`ready after ${readySeconds.toFixed(1)} s: ${watch.latest()?.streams.map(brief).join(", ")}`);
    await work({ exchange, service, key, watch, readySeconds });
  } finally {
    for (const one of running.toReversed()) await one.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The service is told the clock of the venues, which it cannot know when the world runs faster than time. */
export async function pace(speed: number, exchange: PaperExchange, service: Started): Promise<void> {
  const { now_ms: nowMs } = await exchange.setSpeed(speed);
  service.child.send({ nowMs, speed });
}

function flagsOf({ events, kalshiMarkets, activity }: SceneOptions): string[] {
  const sizes = ["--events", events, "--kalshi-markets", kalshiMarkets, "--activity", activity];
  return [...sizes.map(String), "--speed", "1", "--days", "0.1"];
}

const brief = ({ name, state, rowsStored }: StreamSaid): string => `${name} ${state} ${rowsStored}`;

async function untilReady(watch: Watch, within: number): Promise<number> {
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  let readyAt: number | undefined;
  while (elapsed() < within) {
    readyAt = isReady(watch.latest()) ? (readyAt ?? elapsed()) : undefined;
    if (readyAt !== undefined && elapsed() - readyAt > CALM_SECONDS) return readyAt;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return elapsed();
}

function isReady(sample: Sample | undefined): boolean {
  const running = sample?.streams.filter(({ state }) => !["off", "replaced", "not started"].includes(state)) ?? [];
  return running.length > 0 && running.every(({ state }) => state === "caught_up");
}

function profiling(folder: string | undefined, name: string): string[] {
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`];
}

function say(text: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}\n`);
}
