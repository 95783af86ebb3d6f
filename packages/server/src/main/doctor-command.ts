import { command, CommandError } from "../cli/command.ts";
import { textTable } from "../cli/text-table.ts";
import { commandConfig, commandEngines } from "./command-engines.ts";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql as recordsSql } from "kysely";
import type { Config } from "../config.ts";
import { sql } from "../definition/sql.ts";
import { openOwnFolder } from "../records/own-folder.ts";
import { CLOCKS_APART_MS } from "./shared-changes.ts";
import type { Engines } from "./open-engines.ts";
import { connect } from "node:net";
import { settingWarnings } from "./setting-warnings.ts";

/** An invalid setting ends it at once with 2, as it ends the service. */
export const doctorCommand = command({
  name: "doctor",
  description: "Check settings, disk, engines, clocks and whether upstreams can be reached; exits with 1 if one fails",
  args: {
    offline: { type: "boolean", description: "Skip the upstreams" },
  },
  run: async (args, print) => {
    const config = commandConfig();
    const settings = settingWarnings(config).map((says): Finding => ({ check: "settings", state: "warn", says }));
    const findings: readonly Finding[] = [
      ...(settings.length > 0 ? settings : [{ check: "settings", state: "ok" as const, says: "all are valid" }]),
      checkDisk(config.dataDir),
      ...(await checkEngines(config)),
      ...(args["offline"] === true ? [] : await checkUpstreams(config.upstream)),
    ];
    const rows = findings.map(({ check, state, says }) => [state, check, says]);
    print({ value: findings, text: textTable(["STATE", "CHECK", "SAYS"], rows) });
    const failed = findings.filter(({ state }) => state === "fail").map(({ check }) => check);
    if (failed.length > 0) throw new CommandError(1, `failed: ${failed.join(", ")}`);
  },
});

/** Result of one check. `warn` is for what works now but may soon not. */
export type Finding = {
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  /** One sentence; if not ok, including the remedy. */
  readonly says: string;
};

const GIGABYTE = 1_000_000_000;
const MIN_BYTES = GIGABYTE;
const LOW_SHARE = 0.1;

/** Checks that a data folder is writable and its disk has room. */
export function checkDisk(dataDir: string): Finding {
  const check = "data folder";
  try {
    openOwnFolder(dataDir);
    const probe = join(dataDir, `.doctor-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    return {
      check,
      state: "fail",
      says: `${dataDir} cannot be used (${(error as Error).message}): it must belong to this user`,
    };
  }
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  const [free, all] = [bavail * bsize, blocks * bsize];
  const says = `${dataDir}: ${(free / GIGABYTE).toFixed(1)} of ${(all / GIGABYTE).toFixed(1)} GB free`;
  if (free < MIN_BYTES) return { check, state: "fail", says: `${says}: writes stop soon, free space` };
  return { check, state: free < all * LOW_SHARE ? "warn" : "ok", says };
}

/** Checks that rows and records answer, and that their clocks match this machine's. Opens and closes them. */
export async function checkEngines(config: Config): Promise<readonly Finding[]> {
  let engines: Engines;
  try {
    engines = await commandEngines(config);
  } catch (error) {
    return [{ check: "engines", state: "fail", says: `rows or records cannot be opened: ${(error as Error).message}` }];
  }
  try {
    return [...(await checkRows(engines)), ...(await checkRecords(engines))];
  } finally {
    await engines.close();
  }
}

async function checkRows({ store }: Engines): Promise<Finding[]> {
  const [said] = await store.rows<{ version: string; ms: string }>(
    sql`SELECT version() AS version, toString(toUnixTimestamp64Milli(now64(3))) AS ms`,
  );
  return [
    {
      check: "rows",
      state: "ok",
      says: `ClickHouse ${said?.version ?? "?"} answers at ${new URL(store.address.url).host}`,
    },
    checkClock("clock of the rows", Number(said?.ms)),
  ];
}

async function checkRecords({ records }: Engines): Promise<Finding[]> {
  const { rows } = await recordsSql<{ version: string; ms: string }>`
    select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`.execute(
    records.db,
  );
  return [
    { check: "records", state: "ok", says: `PostgreSQL ${rows[0]?.version ?? "?"} answers` },
    checkClock("clock of the records", Number(rows[0]?.ms)),
  ];
}

export function checkClock(check: string, ms: number, now = Date.now()): Finding {
  const ahead = ms - now;
  const says = `${Math.abs(ahead)} ms ${ahead < 0 ? "behind" : "ahead of"} this machine's`;
  if (Math.abs(ahead) <= CLOCKS_APART_MS) return { check, state: "ok", says };
  return { check, state: "fail", says: `${says}: set both by NTP` };
}

const WAIT_MS = 5000;
const PORTS: Readonly<Record<string, number>> = { "https:": 443, "wss:": 443, "http:": 80, "ws:": 80 };

/**
 * Checks that the hosts of addresses (setting → address) accept connections; values that are no address are skipped.
 */
export async function checkUpstreams(upstream: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  const addresses = Object.entries(upstream).filter(
    ([, value]) => URL.canParse(value) && new URL(value).protocol in PORTS,
  );
  return await Promise.all(addresses.map(([setting, value]) => checkAddress(setting, new URL(value))));
}

async function checkAddress(setting: string, { hostname, port, protocol }: URL): Promise<Finding> {
  const at = { host: hostname.replaceAll(/[[\]]/g, ""), port: port === "" ? (PORTS[protocol] ?? 443) : Number(port) };
  const began = performance.now();
  const problem = await tryToConnect(at);
  const where = `${at.host}:${at.port}`;
  if (problem === undefined)
    return {
      check: setting,
      state: "ok",
      says: `${where} accepted a connection in ${Math.round(performance.now() - began)} ms`,
    };
  return {
    check: setting,
    state: "fail",
    says: `${where} cannot be reached (${problem}): check the network, or switch its streams off (STREAMS_OFF)`,
  };
}

function tryToConnect(at: { readonly host: string; readonly port: number }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(at);
    const end = (problem?: string): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(WAIT_MS, () => end(`no answer within ${WAIT_MS / 1000} s`));
    socket.once("connect", () => end());
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
