import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild, type Started } from "./child-process.ts";
import { makeKey } from "./make-key.ts";
import { startExchange, type PaperExchange } from "./paper-exchange.ts";
import { askRegularly } from "./world-questions.ts";
import { printWorld } from "./world-report.ts";
import { watchService, type Sample, type StreamSaid, type Watch } from "./world-watch.ts";

const SERVICE = fileURLToPath(new URL("gathering-service.ts", import.meta.url));
const SETTLE_MS = 5000;

export type WorldBench = {
  readonly events: number;
  readonly kalshiMarkets: number;
  readonly activity: number;
  readonly speed: number;
  /** How long it is measured. */
  readonly seconds: number;
  readonly readyWithin: number;
  readonly streamsOff: string;
  /** A folder for CPU profiles of exchange and service. */
  readonly profile: string | undefined;
  readonly json: string;
};

/** A world of many markets at many times real time, its exchange and the service as two processes on this machine. */
export async function benchWorld(options: WorldBench): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "almanac-world-"));
  const running: { readonly stop: () => Promise<void> }[] = [];
  try {
    const flags = [
      ...["--events", String(options.events), "--kalshi-markets", String(options.kalshiMarkets)],
      ...["--activity", String(options.activity), "--speed", "1", "--days", "0.1"],
    ];
    const exchange = await startExchange(flags, profiling(options.profile, "exchange"));
    running.push(exchange);
    say(`the exchanges listen`);
    const environment = {
      ...process.env,
      ...exchange.settings,
      ALMANAC_DATA_DIR: dataDir,
      ALMANAC_PORT: "0",
      LOG_LEVEL: process.env["LOG_LEVEL"] ?? "error",
      STREAMS_OFF: options.streamsOff,
    };
    const service = await startChild([SERVICE], environment, profiling(options.profile, "service"));
    running.push(service);
    await measureWorld(options, { exchange, service, key: await makeKey(environment) });
  } finally {
    for (const one of running.toReversed()) await one.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Parts = { readonly exchange: PaperExchange; readonly service: Started; readonly key: string };

async function measureWorld(options: WorldBench, { exchange, service, key }: Parts): Promise<void> {
  const watch = watchService(service, exchange.pid);
  const readySeconds = await untilReady(watch, options.readyWithin);
  say(`ready after ${readySeconds.toFixed(1)} s: ${watch.latest()?.streams.map(brief).join(", ")}`);
  const questions = askRegularly(service.said["base_url"] ?? "", key);
  const before = await exchange.control<Record<string, number>>("/truth");
  await pace(options.speed, exchange, service);
  const first = watch.count();
  await sleep(options.seconds * 1000);
  const samples = watch.since(first);
  const after = await exchange.control<Record<string, number>>("/truth");
  await pace(0, exchange, service);
  const asked = await questions.stop();
  await sleep(SETTLE_MS);
  const settled = watch.latest();
  const result = { options, readySeconds, truth: { before, after }, asked, settled, samples };
  writeFileSync(options.json, JSON.stringify(result));
  process.stdout.write(`${printWorld(result)}\nEvery second of it: ${options.json}\n`);
}

const brief = ({ name, state, rowsStored }: StreamSaid): string => `${name} ${state} ${rowsStored}`;

/** Until every stream that runs has caught up, or no longer than that; how long it took. */
async function untilReady(watch: Watch, within: number): Promise<number> {
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  while (elapsed() < within && !isReady(watch.latest())) await sleep(200);
  return elapsed();
}

function isReady(sample: Sample | undefined): boolean {
  const running = sample?.streams.filter(({ state }) => state !== "off" && state !== "replaced") ?? [];
  return running.length > 0 && running.every(({ state }) => state === "caught_up");
}

/** The service is told the clock of the venues, which it cannot know when the world runs faster than time. */
async function pace(speed: number, exchange: PaperExchange, service: Started): Promise<void> {
  const { now_ms: nowMs } = await exchange.setSpeed(speed);
  service.child.send({ nowMs, speed });
}

function profiling(folder: string | undefined, name: string): string[] {
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`];
}

function say(text: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}\n`);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
