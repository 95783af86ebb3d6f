import { spawn } from "node:child_process";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setImmediate as nextRound } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { defineCommand } from "citty";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { commandContext, runInContext } from "../../src/cli/command-context.ts";
import { runCommandLine, type AnyCommand } from "../../src/cli/run-command-line.ts";
import { readConfig } from "../../src/config.ts";
import { createJobs } from "../../src/control/jobs.ts";
import { openControl, type Control } from "../../src/control/open-control.ts";
import { statusCommand } from "../../src/main/status-command.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { tempFolder } from "../records/temp-folder.ts";

const PROGRAM = fileURLToPath(new URL("../cli/almanac.ts", import.meta.url));
const folder = tempFolder();
const dataDir = join(folder.path, "data");
let records: Records;
let control: Control | undefined;

/** Prints until it is stopped. */
const watching: AnyCommand = defineCommand({
  meta: { name: "status" },
  run: async () => {
    const { out, signal } = commandContext();
    for (const stopped = signal(); !stopped.aborted; await nextRound()) out.write("again\n");
  },
});

beforeAll(async () => {
  await layMigrated(dataDir);
  records = await openRecords({ dataDir });
  const root = defineCommand({ meta: { name: "almanac" }, subCommands: { status: watching } });
  control = await openControl(
    { config: readConfig({ ALMANAC_DATA_DIR: dataDir }), records, jobs: createJobs(Date.now) },
    root,
  );
});
afterAll(async () => {
  await control?.close();
  await records?.close();
  folder.remove();
});

test("a command in the service ends without an error when the reader of its output leaves", async () => {
  const child = spawn(process.execPath, [PROGRAM, "status"], { env: { ...process.env, ALMANAC_DATA_DIR: dataDir } });
  child.stdout.destroy();
  const told: string[] = [];
  child.stderr.on("data", (chunk) => told.push(String(chunk)));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, told.join("")]).toEqual([0, ""]);
});

test("a watched status ends when the reader of its output leaves", async () => {
  await control?.close();
  control = undefined;
  await records.close();
  const root = defineCommand({ meta: { name: "almanac" }, subCommands: { status: statusCommand } });
  const out = new Writable({ write: (_chunk, _encoding, done) => done() }).destroy();
  const stopped = new AbortController();
  vi.stubEnv("ALMANAC_DATA_DIR", dataDir);
  try {
    expect(
      await runInContext({ ...commandContext(), out, signal: () => stopped.signal }, () =>
        runCommandLine(root, ["status", "--watch"]),
      ),
    ).toBe(0);
  } finally {
    vi.unstubAllEnvs();
  }
});
