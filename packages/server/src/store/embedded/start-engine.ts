import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import type { Address } from "../connection.ts";
import { OWN_POLICY, type S3Place, storageXml, STORAGE_PROFILE } from "../cold/cold-place.ts";
import { StoreError } from "../statement.ts";
import { nodeXml, usersXml } from "./engine-config.ts";
import { isOrphaned, readEndpoint, removeEndpoint, writeEndpoint } from "./engine-endpoint.ts";
import { hasEnded, isListening, launchEngine, stopEngine } from "./launch-engine.ts";
import { request } from "undici";

const LAZY = "SETTINGS lazy_load_tables = 1";
/** The form that the engine writes; any other text is left unchanged. */
const KNOWN = /^ATTACH DATABASE _ UUID '[0-9a-f-]{36}'\nENGINE = Atomic(\nSETTINGS lazy_load_tables = 1)?\n?$/;

/**
 * Sets whether each table of a database is loaded at its first use. Otherwise all are loaded at start, which fails for
 * all if one is in an object store that does not answer; but only loaded tables are in `system.parts`. The engine takes
 * this setting only when a database is created, so it is written into the engine's metadata. Call it while the engine
 * is down.
 */
export function setLazyTables(columns: string, database: string, isLazy: boolean): void {
  const file = join(columns, "metadata", `${database}.sql`);
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  if (!KNOWN.test(text) || text.includes(LAZY) === isLazy) return;
  const bare = text.replace(`\n${LAZY}`, "").trimEnd();
  writeFileSync(`${file}.new`, `${bare}${isLazy ? `\n${LAZY}` : ""}\n`, { mode: 0o640 });
  renameSync(`${file}.new`, file);
}

const PATIENCE_MS = 3_000;

/** Whether anything answers over HTTP there, even with a refusal. */
async function doesAnswer(url: string): Promise<boolean> {
  try {
    const response = await request(url, { method: "HEAD", signal: AbortSignal.timeout(PATIENCE_MS), reset: true });
    await response.body.dump();
    return true;
  } catch {
    return false;
  }
}

const DATABASE = "almanac";
const USER = "almanac";
const START_ATTEMPTS = 3;
const ORPHAN_ENDS_WITHIN_MS = 20_000;
const LOOK_AGAIN_MS = 200;
const MEMORY_SHARE = 0.4;

export type Engine = {
  readonly address: Address;
  readonly pid: number;
  readonly stop: () => Promise<void>;
  readonly ended: Promise<void>;
};

/** `port` is tried first; nothing is started after `signal` is aborted. `cold` is where old rows may be. */
export type EngineStart = {
  readonly port?: number;
  readonly signal?: AbortSignal;
  readonly cold?: S3Place | undefined;
};

/** Starts the embedded engine on a data folder. Throws StoreError "locked" if another process uses the folder. */
export async function startEngine(folder: string, wish: EngineStart = {}): Promise<Engine> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const password = readPassword(join(folder, "engine-password"));
  const usersFile = join(folder, "users.xml");
  const configFile = join(folder, "node.xml");
  const config = {
    password,
    usersFile,
    logFile: join(folder, "engine.log"),
    memoryBytes: Math.floor(totalmem() * MEMORY_SHARE),
    cacheBytes: 536_870_912,
    mergers: 4,
    ...(wish.cold === undefined ? {} : { more: storageXml(wish.cold), profile: STORAGE_PROFILE }),
  };
  writeFileSync(configFile, nodeXml(config), { mode: 0o600 });
  writeFileSync(usersFile, usersXml(config), { mode: 0o600 });
  const isAway = wish.cold !== undefined && !(await doesAnswer(wish.cold.url));
  setLazyTables(join(folder, "columns"), DATABASE, isAway);
  const { child, address } = await launch(configFile, folder, password, wish);
  const pid = child.pid ?? 0;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    if (hasEnded(child)) resolve();
  });
  writeEndpoint(folder, address, pid);
  return {
    address,
    pid,
    ended,
    stop: async () => {
      removeEndpoint(folder);
      await stopEngine(child, ended);
    },
  };
}

/**
 * Another program may take the free port first: then the engine ends at once and is started again on another port. An
 * engine whose owner was killed is waited for until it has ended.
 */
async function launch(configFile: string, folder: string, password: string, wish: EngineStart) {
  const columns = join(folder, "columns");
  const orphanUntil = performance.now() + ORPHAN_ENDS_WITHIN_MS;
  for (let attempt = 1; ; attempt += 1) {
    wish.signal?.throwIfAborted();
    const port = attempt === 1 && wish.port !== undefined ? wish.port : await freePort();
    const address = { url: `http://127.0.0.1:${port}`, user: USER, password, database: DATABASE };
    try {
      return { child: await launchEngine({ configFile, columns, address, signal: wish.signal }), address };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (wish.cold === undefined && error.message.includes(OWN_POLICY)) throw lacksCold(error);
      if (error.kind === "locked" && isOrphaned(folder) && performance.now() < orphanUntil) {
        attempt -= 1;
        await sleep(LOOK_AGAIN_MS);
      } else if (attempt >= START_ATTEMPTS || error.kind === "locked") throw error;
    }
  }
}

const lacksCold = (cause: StoreError): StoreError =>
  new StoreError(
    "absent",
    0,
    "this store has old rows in object storage: set COLD_S3_URL, COLD_S3_KEY_ID and COLD_S3_SECRET to their previous values",
    cause,
  );

/** Returns the engine that another process runs on this folder, if any. */
export async function findEngine(folder: string): Promise<Address | undefined> {
  const endpoint = readEndpoint(folder);
  if (endpoint === undefined || isOrphaned(folder)) return undefined;
  const { url, user, password, database } = endpoint;
  const address = { url, user, password, database };
  return (await isListening(address)) ? address : undefined;
}

/** Creates it if there is none; a power failure may leave the file empty. */
function readPassword(file: string): string {
  if (!existsSync(file) || readFileSync(file, "utf8").trim() === "") {
    writeFileSync(`${file}.new`, randomBytes(24).toString("hex"), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, "utf8").trim();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const found = server.address();
      server.close(() => (typeof found === "object" && found ? resolve(found.port) : reject(new Error("no port"))));
    });
  });
}
