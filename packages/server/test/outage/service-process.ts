import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createAccount } from "../../src/access/accounts.ts";
import { createKey } from "../../src/access/keys.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { openRecords, type RecordsPlace } from "../../src/records/records.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");

/** Starts `almanac serve --json` as its own process on a free port, with its own folder and an API key. */
export async function startService(environment: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "almanac-outage-"));
  await layMigrated(folder);
  const url = environment["DATABASE_URL"];
  const key = await makeKey(url === undefined ? { dataDir: folder } : { url });
  const child = spawn(process.execPath, [MAIN, "serve", "--json"], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ALMANAC_DATA_DIR: folder,
      ALMANAC_PORT: "0",
      LOG_LEVEL: "silent",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-20_000)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [line] = await Promise.race([
    new Promise<string[]>((resolve) => createInterface(child.stdout).once("line", (text) => resolve([text]))),
    ended.then(() => Promise.reject(new Error(said))),
  ]);
  const { base_url: baseUrl } = JSON.parse(line ?? "") as { base_url: string };
  return {
    folder,
    ended,
    said: () => said,
    end: (signal: NodeJS.Signals) => void child.kill(signal),
    ready: async () => {
      const reply = await fetch(`${baseUrl}/ready`);
      const { reasons } = (await reply.json()) as { reasons: string[] };
      return { status: reply.status, reasons };
    },
    /** Throws if there is no response `withinMs`. */
    ask: async (body: unknown, withinMs?: number) => {
      const reply = await fetch(`${baseUrl}/api/v2/semantic/retrieve/parameterized`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        ...(withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) }),
      });
      return { status: reply.status, retryAfter: reply.headers.get("retry-after"), body: await reply.json() };
    },
    close: async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function makeKey(place: RecordsPlace): Promise<string> {
  const records = await openRecords(place);
  try {
    const admin = { db: records.db, clock: Date.now, actor: "test" };
    const {
      account: { id },
    } = await createAccount(admin, { name: "a", email: "a@x.example", plan: "enterprise" });
    return (await createKey(admin, { account: id })).key;
  } finally {
    await records.close();
  }
}
