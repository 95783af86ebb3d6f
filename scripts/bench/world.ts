import { writeFileSync } from "node:fs";
import { askRegularly } from "./world-questions.ts";
import { printWorld } from "./world-report.ts";
import { pace, withWorld, type SceneOptions, type WorldScene } from "./world-scene.ts";

const SETTLE_MS = 8000;

export type WorldBench = SceneOptions & {
  readonly speed: number;
  /** How long it is measured. */
  readonly seconds: number;
  readonly json: string;
};

/** A world of many markets at many times real time, its exchange and the service as two processes on this machine. */
export function benchWorld(options: WorldBench): Promise<void> {
  return withWorld(options, (scene) => measureWorld(options, scene));
}

async function measureWorld(options: WorldBench, { exchange, service, key, watch, readySeconds }: WorldScene) {
  const questions = askRegularly(service.said["base_url"] ?? "", key);
  const before = await exchange.control<Record<string, number>>("/truth");
  await pace(options.speed, exchange, service);
  const first = watch.count();
  await sleep(options.seconds * 1000);
  const samples = watch.since(first);
  await pace(0, exchange, service);
  const after = await exchange.control<Record<string, number>>("/truth");
  const asked = await questions.stop();
  await sleep(SETTLE_MS);
  const settled = watch.latest();
  const result = { options, readySeconds, truth: { before, after }, asked, settled, samples };
  writeFileSync(options.json, JSON.stringify(result));
  process.stdout.write(`${printWorld(result)}\nEvery second of it: ${options.json}\n`);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
