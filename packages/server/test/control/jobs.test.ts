import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { defineCommand } from "citty";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandContext } from "../../src/cli/command-context.ts";
import { printResult } from "../../src/cli/command.ts";
import type { AnyCommand } from "../../src/cli/run-command-line.ts";
import { readConfig } from "../../src/config.ts";
import { jobCommand } from "../../src/control/job-command.ts";
import { createJobs } from "../../src/control/jobs.ts";
import { openControl, type Control } from "../../src/control/open-control.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { callOwner } from "../fixtures/call-owner.ts";
import { tempFolder } from "../records/temp-folder.ts";

const folder = tempFolder();
// Too long for a socket's path: the folder is reached by its descriptor.
const dataDir = join(folder.path, "deep".repeat(30));
const environment: Record<string, string> = { ALMANAC_DATA_DIR: dataDir };
let records: Records;
let control: Control | undefined;
let goOn = Promise.withResolvers<void>();

/** A long-running command: prints, waits until it is released or stopped, prints. */
const derive: AnyCommand = defineCommand({
  meta: { name: "derive" },
  run: async () => {
    const { err, signal } = commandContext();
    const stopped = signal();
    err.write("half way\n");
    await Promise.race([goOn.promise, new Promise((resolve) => stopped.addEventListener("abort", resolve))]);
    stopped.throwIfAborted();
    printResult({ value: {}, text: "whole" }, false);
  },
});
/** A command that is no job: it ends with its caller or its owner. */
const status: AnyCommand = defineCommand({
  meta: { name: "status" },
  run: async () => {
    const stopped = commandContext().signal();
    commandContext().out.write("watching\n");
    await new Promise((resolve) => stopped.addEventListener("abort", resolve));
  },
});
const root: AnyCommand = defineCommand({ meta: { name: "almanac" }, subCommands: { job: jobCommand, derive, status } });

beforeAll(async () => {
  await mkdir(dataDir, { recursive: true });
  records = await openRecords({ dataDir });
  control = await openControl({ config: readConfig(environment), records, jobs: createJobs(Date.now) }, root);
});
afterAll(async () => {
  await control?.close();
  await records.close();
  folder.remove();
});

const call = (argv: string, settings = environment) => callOwner(argv, settings);

test("the socket is accessible to its user only, and owned by one process", async () => {
  expect(statSync(join(dataDir, "control.sock")).mode & 0o777).toBe(0o600);
  const owner = { config: readConfig(environment), records, jobs: createJobs(Date.now) };
  expect(await openControl(owner, root)).toBeUndefined();
});

test("a caller receives its command's output and exit code", async () => {
  goOn = Promise.withResolvers();
  const { ended, printed } = call("derive");
  await expect.poll(printed).toContain("half way");
  goOn.resolve();
  expect(await ended).toBe(0);
  expect(printed()).toBe("half way\nwhole\n");
});

test("a job continues when its caller leaves, can be watched again, and ends when it is stopped", async () => {
  goOn = Promise.withResolvers();
  const { ended, printed } = call("derive");
  await expect.poll(printed).toContain("half way");
  process.emit("SIGINT");
  expect(await ended).toBe(0);
  const [, id = ""] = /continues in the service as job (\d+)/.exec(printed()) ?? [];
  const listed = call("job list --json");
  expect(await listed.ended).toBe(0);
  expect(JSON.parse(listed.printed())).toContainEqual(
    expect.objectContaining({ id: Number(id), command: "derive", exit_code: null }),
  );
  const again = call(`job show ${id}`);
  await expect.poll(again.printed).toContain("half way");
  const stopping = call(`job stop ${id}`);
  expect(await stopping.ended).toBe(0);
  expect(await again.ended).toBe(1);
  expect(again.printed()).toContain("stop requested");
  const late = call(`job stop ${id}`);
  expect(await late.ended).toBe(0);
  expect([stopping.printed(), late.printed()]).toEqual([
    `job ${id} is stopping: almanac derive\n`,
    `job ${id} ended with 1: almanac derive\n`,
  ]);
});

test("at most 8 jobs run at once, and one more is refused with what to do", async () => {
  goOn = Promise.withResolvers();
  const running = Array.from({ length: 8 }, () => call("derive"));
  for (const { printed } of running) await expect.poll(printed).toContain("half way");
  const { ended, printed } = call("derive");
  expect(await ended).toBe(1);
  expect(printed()).toContain("8 jobs already run");
  goOn.resolve();
  expect(await Promise.all(running.map((one) => one.ended))).toEqual(Array.from({ length: 8 }, () => 0));
});

test("an unknown job returns exit code 3", async () => {
  const { ended, printed } = call("job show 999");
  expect(await ended).toBe(3);
  expect(printed()).toContain("there is no job 999");
});

test("a command whose settings name other stores is not run by the owner", async () => {
  const { ended } = call("derive", { ...environment, DATABASE_URL: "postgres://127.0.0.1:1/x" });
  expect(await ended).toBeUndefined();
});

test("a stopping owner ends watched commands and jobs without waiting for their callers", async () => {
  goOn = Promise.withResolvers();
  const [watching, deriving] = [call("status"), call("derive")];
  await expect.poll(watching.printed).toContain("watching");
  await expect.poll(deriving.printed).toContain("half way");
  await control?.close();
  control = undefined;
  expect(await Promise.all([watching.ended, deriving.ended])).toEqual([0, 1]);
  expect(await call("job list").ended).toBeUndefined();
});
