import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMPOSE_FILES, filled, readCompose } from "./read-compose.ts";
import { REPOSITORY } from "./repository.ts";

const SCRIPT = join(REPOSITORY, "deploy/docker/back-up-daily.mjs");
/** A frozen clock, a tenth of a second before the backup is due. */
const CLOCK = `data:text/javascript,Date.now = () => Date.parse("2026-11-22T03:14:59.900Z")`;
const WISHES = ["/backups", "--keep", "14", "--rate", "20"];

let folder = "";
const started: ChildProcess[] = [];

const lines = (input: NodeJS.ReadableStream) => createInterface({ input })[Symbol.asyncIterator]();
const next = async (from: AsyncIterator<string>): Promise<string> => String((await from.next()).value);

/** Starts the script with this shell script as `almanac`; returns its output line by line. */
function start(timestamp: string, almanac: string) {
  writeFileSync(join(folder, "almanac"), `#!/bin/sh\n${almanac}\n`);
  chmodSync(join(folder, "almanac"), 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
  const child = spawn(process.execPath, ["--import", CLOCK, SCRIPT, timestamp, ...WISHES], { env });
  started.push(child);
  const [out, err] = [lines(child.stdout), lines(child.stderr)];
  return { child, out: () => next(out), err: () => next(err), exit: once(child, "exit") };
}

describe("deploy/docker/back-up-daily.mjs", () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "almanac-daily-"));
  });
  afterAll(() => {
    for (const child of started) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  test("runs a backup with the given arguments when it is due, then waits for the next one", async () => {
    const { child, out, err, exit } = start("03:15", `echo "$@"`);
    expect(await err()).toBe("the next backup begins at 2026-11-22T03:15:00.000Z");
    expect(await out()).toBe(`backup create ${WISHES.join(" ")} --json`);
    expect(await err()).toMatch(/^the next backup begins/);
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });

  test("waits until tomorrow if today's time has passed", async () => {
    const { child, err, exit } = start("03:14", "echo");
    expect(await err()).toBe("the next backup begins at 2026-11-23T03:14:00.000Z");
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });

  test("logs a failed backup and retries within the hour", async () => {
    const { err } = start("03:15", "exit 4");
    await err();
    expect(await err()).toBe("almanac backup create ended with 4");
    expect(await err()).toMatch(/^the next backup begins at 2026-11-22T03:15:00/);
  });

  test("forwards SIGTERM to the running backup and exits with it", async () => {
    const { child, out, exit } = start(
      "03:15",
      // Ends by itself if the test is killed.
      `trap 'echo told; exit 1' TERM; echo begun; n=0; while [ $n -lt 1800 ]; do n=$((n+1)); sleep 0.1; done`,
    );
    expect(await out()).toBe("begun");
    child.kill("SIGTERM");
    expect(await out()).toBe("told");
    expect(await exit).toEqual([0, null]);
  });

  test.each(["24:00", "3:15", ""])("rejects %j as a time", async (timestamp) => {
    const { err, exit } = start(timestamp, "echo");
    expect(await err()).toMatch(/^expected HH:MM \(UTC\)/);
    expect(await exit).toEqual([2, null]);
  });

  test.each(COMPOSE_FILES)("is run by the backup profile of %s, in the image and with valid arguments", (file) => {
    const { entrypoint = [], command = [], profiles } = readCompose(file).services["backup"] ?? {};
    expect(profiles).toEqual(["backup"]);
    expect(entrypoint).toEqual(["node", "/almanac/deploy/docker/back-up-daily.mjs"]);
    expect(command.map(filled)).toEqual(["03:15", ...WISHES]);
  });

  test("shares network, processes and folder with the service whose engines it reads, on one machine", () => {
    const { backup, almanac } = readCompose("one-machine.yaml").services;
    expect([backup?.network_mode, backup?.pid]).toEqual(["service:almanac", "service:almanac"]);
    expect(backup?.volumes).toContain(almanac?.volumes?.[0]);
  });
});
