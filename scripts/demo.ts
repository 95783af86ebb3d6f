// The service on the paper exchanges: starts both, waits for rows, creates an operator and two keys, prints queries.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDashboard } from "./dashboard/ensure-dashboard.ts";
import { makeOperator, type Operator, SERVICE_ENV, SERVICE_FLAGS, waitForRows } from "./demo/demo-service.ts";
import { ALMANAC, EXCHANGE, startChild, type Started } from "./service/start-child.ts";
import { PAID_PACE, venueSettings } from "./service/venue-settings.ts";
import type { ExchangeUrls } from "../packages/exchange/src/serve-options.ts";
import { readNumber, readOptions } from "./read-options.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const HELP = `npm run demo -- [options]
  --port N     port of the service (8080; 0 takes a free one)
  --seed N     seed of the simulated world (7)
  --speed N    speed of the world's clock, as a multiple of real time (1)
  --days N     days of history the world starts with (2)
  --activity X trading activity, as a multiple of a busy world's (1)
  --talk X     number of social posts, as a multiple of the default; 0 for none (1)
  --events N   Polymarket events open at a time (120)
  --faults FILE  fault plan of the exchanges (npm run exchange -- faults prints one)
  --hostile X  share of events and posts with hostile texts, 0 to 1 (docs/faults.md)
  --keep DIR   keep the data in DIR (default: a temporary folder, removed at the end)
  --json       one JSON line on standard output once ready, everything else on standard error
  --help       this text
Ctrl-C stops everything.`;

/** Time that each of the two processes has to stop by itself. */
const STOP_MS = 15_000;
/** A world begins at a multiple of this (packages/exchange/src/world/create-world.ts). */
const WORLD_GRID_MS = 300_000;

const { values } = readOptions("demo", {
  options: {
    port: { type: "string", default: "8080" },
    seed: { type: "string", default: "7" },
    speed: { type: "string", default: "1" },
    days: { type: "string", default: "2" },
    activity: { type: "string", default: "1" },
    talk: { type: "string", default: "1" },
    events: { type: "string", default: "120" },
    faults: { type: "string" },
    hostile: { type: "string" },
    keep: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit();
}
readNumber("demo", "port", values.port, { most: 65_535, isWhole: true });

const started = performance.now();
const daysAgo = Date.now() - readNumber("demo", "days", values.days, { most: 3650 }) * 86_400_000;
/** The world's initial data starts slightly later. */
const worldBegan = new Date(daysAgo).toISOString();
/** An earlier start would leave a gap that nothing can fill. */
const nothingBefore = new Date(Math.floor(daysAgo / WORLD_GRID_MS) * WORLD_GRID_MS).toISOString();
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const since = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const dataDir = values.keep ?? mkdtempSync(join(tmpdir(), "almanac-demo-"));
const running: Started<unknown>[] = [];

let isEnding = false;
async function end(code: number): Promise<never> {
  if (isEnding) return new Promise<never>(() => {});
  isEnding = true;
  for (const one of running.toReversed()) await one.stop();
  if (values.keep === undefined) rmSync(dataDir, { recursive: true, force: true });
  process.exit(code);
}

function exchangeArgs(): string[] {
  const { seed, speed, days, activity, talk, events, faults, hostile } = values;
  return [
    EXCHANGE,
    "serve",
    "--json",
    "--seed",
    seed,
    "--speed",
    speed,
    "--days",
    days,
    "--activity",
    activity,
    "--talk",
    talk,
    "--events",
    events,
    ...(faults === undefined ? [] : ["--faults", faults]),
    ...(hostile === undefined ? [] : ["--hostile", hostile]),
  ];
}

function buildDashboard(): void {
  try {
    ensureDashboard(root, { say });
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\nthe service starts without it`);
  }
}

function report(baseUrl: string, controlUrl: string, { email, password, key, compatibleKey }: Operator): void {
  say(
    `\nReady after ${since()}. The data is in ${dataDir}${values.keep === undefined ? " (removed at the end)" : ""}.\n`,
  );
  if (values.json) {
    const line = {
      base_url: baseUrl,
      api_key: key,
      compatible_key: compatibleKey,
      dashboard_url: `${baseUrl}/`,
      control_url: controlUrl,
      admin: { email, password },
      pid: process.pid,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  say(
    `  dashboard  ${baseUrl}/\n  e-mail     ${email}\n  password   ${password}\n  key        ${key}\n  compatible ${compatibleKey}\n  docs       ${baseUrl}/docs\n`,
  );
  say(
    `curl -s ${baseUrl}/api/v2/semantic/retrieve/parameterized -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"agent_id": 556, "params": {}, "pagination": {"limit": 3}}'\n`,
  );
  say("Ctrl-C stops everything.");
}

/** Starts a long-running process; the demo ends when it exits by itself. */
async function start<Said>(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Said> {
  const one = await startChild<Said>(args, env, { stopMs: STOP_MS });
  running.push(one);
  one.child.once("exit", (code) => void end(code === 0 ? 0 : 1));
  return one.said;
}

async function main(): Promise<void> {
  say("starting the paper exchanges…");
  const listening = start<ExchangeUrls>(exchangeArgs(), process.env);
  // Runs while the exchanges generate their history.
  buildDashboard();
  const urls = await listening;
  say(`  ${since()}  the exchanges listen\nstarting the service…`);
  const env = {
    ...process.env,
    ...SERVICE_ENV,
    ALMANAC_DATA_DIR: dataDir,
    ALMANAC_PORT: values.port,
    VENUES_BEGAN: worldBegan,
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "warn",
    ...venueSettings(urls),
    ...PAID_PACE,
  };
  const serve = [...SERVICE_FLAGS, ALMANAC, "serve", "--json", "--history", nothingBefore];
  const { base_url: baseUrl } = await start<{ readonly base_url: string }>(serve, env);
  say(`  ${since()}  the service listens`);
  const operator = await makeOperator(env);
  await waitForRows({ baseUrl, key: operator.key }, (agentId) => say(`  ${since()}  ${agentId} answers`));
  report(baseUrl, urls.control_url, operator);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));
main().catch((error: unknown) => {
  if (!isEnding) say(`demo: ${error instanceof Error ? error.message : String(error)}`);
  void end(1);
});
