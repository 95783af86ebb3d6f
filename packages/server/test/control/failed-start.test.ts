import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectors } from "../../src/catalogue.ts";
import { readConfig } from "../../src/config.ts";
import { commandEngines } from "../../src/main/command-engines.ts";
import { openServing } from "../../src/main/serving.ts";
import { freePort } from "../fixtures/free-port.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { tempFolder } from "../records/temp-folder.ts";

const folder = tempFolder();
const dataDir = join(folder.path, "data");
const taken = createServer();
let takenPort: string;
beforeAll(async () => {
  await layMigrated(dataDir);
  await once(taken.listen(0, "127.0.0.1"), "listening");
  takenPort = String((taken.address() as AddressInfo).port);
});
afterAll(() => {
  taken.close();
  folder.remove();
});

const settings = async (): Promise<Record<string, string>> => ({
  ALMANAC_DATA_DIR: dataDir,
  ALMANAC_PORT: String(await freePort()),
  STREAMS_OFF: connectors.map(({ name }) => name).join(","),
});

const lines: string[] = [];
const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
const log = pino({ level: "warn" }, sink);

/** Fails to start with this error alone: a start before it left nothing open, such as serving indexes still locked. */
async function failsToStart(given: Record<string, string>, error: string): Promise<void> {
  await expect(openServing(readConfig(given), log)).rejects.toThrow(error);
  expect(lines).toEqual([]);
  const { ALMANAC_PORT: port } = given;
  if (port === takenPort) return;
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
}

test("a service or a command that cannot start closes what it opened, and can be started again", async () => {
  const given = await settings();
  // Each start gets further than the one before, so it opens all that the one before had opened.
  await failsToStart({ ...given, ALMANAC_METRICS_PORT: takenPort }, "EADDRINUSE");
  await failsToStart({ ...given, ALMANAC_SECRET_FILE: join(folder.path, "absent") }, "absent");
  await failsToStart({ ...given, ALMANAC_PORT: takenPort, API_WORKERS: "2" }, "EADDRINUSE");
  const socket = join(dataDir, "control.sock");
  mkdirSync(socket);
  await failsToStart(given, "control.sock");
  const config = readConfig(given);
  await expect(commandEngines(config, { isWriter: true })).rejects.toThrow("control.sock");
  rmSync(socket, { recursive: true });
  const engines = await commandEngines(config, { isWriter: true });
  await engines.close();
  const serving = await openServing(config, log);
  await serving.close();
  expect(lines).toEqual([]);
});
