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

test.each([
  ["its metrics port is taken", () => ({ ALMANAC_METRICS_PORT: takenPort })],
  ["its secret cannot be read", () => ({ ALMANAC_SECRET_FILE: join(folder.path, "absent") })],
  ["its port is taken with workers", () => ({ ALMANAC_PORT: takenPort, API_WORKERS: "2" })],
])("a service that cannot start because %s closes what it opened, and can be started again", async (_, wrong) => {
  const port = await freePort();
  const settings = {
    ALMANAC_DATA_DIR: dataDir,
    ALMANAC_PORT: String(port),
    STREAMS_OFF: connectors.map(({ name }) => name).join(","),
  };
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  const log = pino({ level: "warn" }, sink);
  await expect(openServing(readConfig({ ...settings, ...wrong() }), log)).rejects.toThrow();
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  lines.length = 0;
  const serving = await openServing(readConfig(settings), log);
  await serving.close();
  // Such as: the serving indexes are still locked.
  expect(lines).toEqual([]);
});

test("a service or a command that cannot open its control socket closes what it opened, and can be started again", async () => {
  const port = await freePort();
  const config = readConfig({
    ALMANAC_DATA_DIR: dataDir,
    ALMANAC_PORT: String(port),
    STREAMS_OFF: connectors.map(({ name }) => name).join(","),
  });
  const log = pino({ level: "silent" });
  const socket = join(dataDir, "control.sock");
  mkdirSync(socket);
  await expect(openServing(config, log)).rejects.toThrow("control.sock");
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  await expect(commandEngines(config, { isWriter: true })).rejects.toThrow("control.sock");
  rmSync(socket, { recursive: true });
  const engines = await commandEngines(config, { isWriter: true });
  await engines.close();
  const serving = await openServing(config, log);
  await serving.close();
});
