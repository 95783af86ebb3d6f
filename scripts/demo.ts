// The whole service on the paper exchanges: starts both, waits for rows, makes an account and a key, prints what to ask.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const HELP = `npm run demo -- [options]
  --port N     port of the service (8080; 0 takes a free one)
  --seed N     seed of the simulated world (7)
  --speed N    how fast the world goes on, times real time (1)
  --days N     days of history the world begins with (2)
  --faults FILE  what goes wrong on the exchanges: a fault plan (npm run exchange -- faults shows one)
  --keep DIR   keep the data in DIR (default: a temporary folder that is removed at the end)
  --json       one JSON line on standard output once ready, everything else on standard error
  --help       this text
Ctrl-C ends all of it.`;

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8080" },
    seed: { type: "string", default: "7" },
    speed: { type: "string", default: "1" },
    days: { type: "string", default: "2" },
    faults: { type: "string" },
    keep: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const started = performance.now();
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const since = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const children: ChildProcess[] = [];
const dataDir = values.keep ?? mkdtempSync(join(tmpdir(), "almanac-demo-"));

function start(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): { child: ChildProcess; ready: Promise<Record<string, string>> } {
  const child = spawn(process.execPath, [...args], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const ready = new Promise<Record<string, string>>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      const line = text.slice(0, text.indexOf("\n"));
      if (text.includes("\n")) resolve(JSON.parse(line) as Record<string, string>);
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      reject(new Error(`${name} ended with ${code}`));
      void end(code === 0 ? 0 : 1);
    });
  });
  return { child, ready };
}

function once(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0
        ? resolve(JSON.parse(text) as Record<string, unknown>)
        : reject(new Error(`${args.join(" ")} ended with ${code}`)),
    );
  });
}

let isEnding = false;
async function end(code: number): Promise<never> {
  if (isEnding) return new Promise<never>(() => {});
  isEnding = true;
  for (const child of children.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 15_000))]);
    child.kill("SIGKILL");
  }
  if (values.keep === undefined) rmSync(dataDir, { recursive: true, force: true });
  process.exit(code);
}

type Row = Record<string, unknown>;

/** Asks until there are rows; the first row. */
async function firstRow(baseUrl: string, key: string, agentId: number, params: Record<string, string>): Promise<Row> {
  for (;;) {
    const response = await fetch(`${baseUrl}/api/v2/semantic/retrieve/parameterized`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ agent_id: agentId, params, pagination: { limit: 1 } }),
    });
    if (response.ok) {
      const body = (await response.json()) as { data: { results: Row[] } };
      const [row] = body.data.results;
      if (row) return row;
    } else if (response.status !== 429 && response.status !== 503) {
      throw new Error(`agent_id ${agentId} answered ${response.status}: ${await response.text()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function waitForRows(baseUrl: string, key: string): Promise<void> {
  const told = async (agentId: number, params: Record<string, string>): Promise<Row> => {
    const row = await firstRow(baseUrl, key, agentId, params);
    say(`  ${since()}  ${agentId} answers`);
    return row;
  };
  await told(574, {});
  await told(565, {});
  const trade = await told(556, {});
  const token = { token_id: String(trade["token_id"]) };
  const kalshi = await told(573, { start_time: "2020-01-01" });
  await Promise.all([told(568, token), told(572, token), told(1102, { ticker: String(kalshi["ticker"]) })]);
}

/** The settings that let the paper exchanges stand in for the venues. */
function serviceSettings(bare: NodeJS.ProcessEnv, urls: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...bare,
    ALMANAC_DATA_DIR: dataDir,
    ALMANAC_PORT: values.port,
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "warn",
    POLYMARKET_GAMMA_URL: urls["gamma_url"],
    POLYMARKET_CLOB_URL: urls["clob_url"],
    POLYMARKET_DATA_URL: urls["data_url"],
    POLYMARKET_WS_URL: urls["ws_url"]?.replace(/\/ws\/market$/, ""),
    POLYMARKET_RTDS_URL: urls["rtds_url"],
    POLYGON_RPC_URL: urls["rpc_url"],
    BLUESKY_JETSTREAM_URL: urls["jetstream_url"],
    HN_URL: urls["hn_url"],
    GDELT_URL: urls["gdelt_url"],
    X_URL: urls["x_url"],
    X_BEARER_TOKEN: urls["x_bearer_token"],
    X_DAILY_USD: "5",
    KALSHI_URL: urls["kalshi_url"],
    KALSHI_WS_URL: urls["kalshi_ws_url"],
    KALSHI_KEY_ID: urls["kalshi_key_id"],
    KALSHI_PRIVATE_KEY: urls["kalshi_private_key_pem"],
  };
}

async function main(): Promise<void> {
  const bare = { ...process.env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" };
  say("starting the paper exchanges…");
  const exchange = start(
    "the paper exchanges",
    [
      "packages/exchange/src/main.ts",
      "serve",
      "--json",
      "--seed",
      values.seed,
      "--speed",
      values.speed,
      "--days",
      values.days,
      ...(values.faults === undefined ? [] : ["--faults", values.faults]),
    ],
    bare,
  );
  const urls = await exchange.ready;
  say(`  ${since()}  the exchanges listen`);
  const env = serviceSettings(bare, urls);
  say("starting the service…");
  const service = start(
    "the service",
    ["packages/server/src/main.ts", "serve", "--json", "--history", `${values.days}d`],
    env,
  );
  const ready = await service.ready;
  const baseUrl = String(ready["base_url"]);
  say(`  ${since()}  the service listens`);
  const email = "demo@almanac.invalid";
  const almanac = ["packages/server/src/main.ts"];
  await once(
    [...almanac, "account", "create", "--name", "demo", "--email", email, "--plan", "enterprise", "--json"],
    env,
  ).catch(() => undefined);
  const made = await once([...almanac, "key", "create", "--account", email, "--name", "demo", "--json"], env);
  const key = String(made["key"]);
  await waitForRows(baseUrl, key);
  say(
    `\nReady after ${since()}. The data is in ${dataDir}${values.keep === undefined ? " (removed at the end)" : ""}.\n`,
  );
  if (values.json) {
    process.stdout.write(
      `${JSON.stringify({ base_url: baseUrl, api_key: key, dashboard_url: `${baseUrl}/docs`, admin: { email, password: null }, pid: process.pid })}\n`,
    );
  }
  say(`  address  ${baseUrl}\n  key      ${key}\n  docs     ${baseUrl}/docs\n`);
  say(
    `curl -s ${baseUrl}/api/v2/semantic/retrieve/parameterized -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"agent_id": 556, "params": {}, "pagination": {"limit": 3}}'\n`,
  );
  say("Ctrl-C ends all of it.");
}

if (values.help) {
  process.stdout.write(`${HELP}\n`);
} else {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));
  main().catch((error: unknown) => {
    if (!isEnding) say(`demo: ${error instanceof Error ? error.message : String(error)}`);
    void end(1);
  });
}
