import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createAccount } from "../../src/access/accounts.ts";
import { readConfig } from "../../src/config.ts";
import { createJobs } from "../../src/control/jobs.ts";
import { openControl } from "../../src/control/open-control.ts";
import { openRecords } from "../../src/records/records.ts";
import { tempFolder } from "../records/temp-folder.ts";
import { testRoot } from "./test-root.ts";

const PROGRAM = fileURLToPath(new URL("almanac.ts", import.meta.url));
const folder = tempFolder();
const dataDir = join(folder.path, "data");
afterAll(() => folder.remove());

test("a password that was sent to an owner of other stores is still there for the command itself", async () => {
  const records = await openRecords({ dataDir });
  await createAccount({ db: records.db, clock: Date.now, actor: "test" }, { name: "a", email: "ann@example.org" });
  await records.close();
  const config = readConfig({ ALMANAC_DATA_DIR: dataDir, DATABASE_URL: "postgres://127.0.0.1:1/other" });
  const control = await openControl({ config, records, jobs: createJobs(Date.now) }, testRoot);
  try {
    const args = ["user", "create", "--account", "ann@example.org", "--email", "op@example.org", "--password-stdin"];
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ALMANAC_DATA_DIR: dataDir } });
    child.stdin.end("a long enough passphrase\n");
    const printed: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(String(chunk)));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, printed.join("")]).toEqual([0, expect.stringContaining("signs in with the password that was given")]);
  } finally {
    await control?.close();
  }
});
