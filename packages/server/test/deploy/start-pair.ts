import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createAccount } from "../../src/access/accounts.ts";
import { createKey } from "../../src/access/keys.ts";
import { openRecords } from "../../src/records/records.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");

export type ApiProcess = {
  readonly port: number;
  readonly end: (signal: NodeJS.Signals) => void;
  /** The exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
};

export type Pair = {
  readonly key: string;
  readonly processes: readonly ApiProcess[];
  readonly close: () => Promise<void>;
};

/**
 * Starts two `almanac serve` with the role api, each on a copy of the same control records, and a key valid for both.
 */
export async function startPair(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-pair-"));
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  mkdirSync(first, { mode: 0o700 });
  await layMigrated(first);
  const key = await makeKey(first);
  cpSync(first, second, { recursive: true, verbatimSymlinks: true });
  const children: ChildProcess[] = [];
  const processes = await Promise.all([first, second].map((dataDir) => startApi(dataDir, children)));
  return {
    key,
    processes,
    close: async () => {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(processes.map(({ ended }) => ended));
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function makeKey(dataDir: string): Promise<string> {
  const records = await openRecords({ dataDir });
  try {
    const admin = { db: records.db, clock: Date.now, actor: "test" };
    const { account } = await createAccount(admin, { name: "a", email: "a@x.example", plan: "enterprise" });
    return (await createKey(admin, { account: account.id })).key;
  } finally {
    await records.close();
  }
}

async function startApi(dataDir: string, children: ChildProcess[]): Promise<ApiProcess> {
  const child = spawn(process.execPath, [MAIN, "serve", "--json"], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ALMANAC_DATA_DIR: dataDir,
      ALMANAC_PORT: "0",
      ALMANAC_ROLE: "api",
      ALMANAC_PUBLIC_URL: "https://localhost",
      TRUSTED_PROXIES: "127.0.0.1",
      LOG_LEVEL: "silent",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-20_000)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve)),
    ended.then(() => Promise.reject(new Error(said))),
  ]);
  const { base_url: baseUrl } = JSON.parse(line) as { base_url: string };
  return { port: Number(new URL(baseUrl).port), end: (signal) => void child.kill(signal), ended };
}
