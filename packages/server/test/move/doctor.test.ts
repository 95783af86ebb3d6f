import { createServer, type AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { checkDisk, checkClock, checkEngines, checkUpstreams } from "../../src/main/doctor-command.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "almanac-doctor-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("checkUpstreams reports by setting which upstreams accept connections, and omits credentials", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const found = await checkUpstreams({
    KALSHI_URL: `http://127.0.0.1:${port}/trade-api`,
    KALSHI_WS_URL: "ws://127.0.0.1:1",
    KALSHI_KEY_ID: "not an address",
  });
  server.close();
  expect(found.map(({ check, state }) => [check, state])).toEqual([
    ["KALSHI_URL", "ok"],
    ["KALSHI_WS_URL", "fail"],
  ]);
  expect(found[1]?.says).toContain("127.0.0.1:1 cannot be reached (ECONNREFUSED)");
});

test("checkDisk reports free disk space, and a folder that cannot be written", () => {
  expect(checkDisk(join(folder, "data"))).toMatchObject({
    state: expect.stringMatching(/ok|warn/),
    says: expect.stringContaining("GB free"),
  });
  writeFileSync(join(folder, "file"), "");
  expect(checkDisk(join(folder, "file", "data"))).toMatchObject({ state: "fail" });
});

test("checkClock fails if two clocks are more than two seconds apart", () => {
  expect(checkClock("clock", 10_000, 11_900).state).toBe("ok");
  expect(checkClock("clock", 10_000, 12_100)).toMatchObject({
    state: "fail",
    says: expect.stringContaining("2100 ms behind"),
  });
});

test("checkEngines reports that both engines answer, and which cannot be opened", { timeout: 300_000 }, async () => {
  const well = await checkEngines(readConfig({ ALMANAC_DATA_DIR: join(folder, "data") }));
  expect(well.map(({ check, state }) => [check, state])).toEqual([
    ["rows", "ok"],
    ["clock of the rows", "ok"],
    ["records", "ok"],
    ["clock of the records", "ok"],
  ]);
  const ill = await checkEngines(
    readConfig({ ALMANAC_DATA_DIR: join(folder, "data"), CLICKHOUSE_URL: "http://127.0.0.1:1" }),
  );
  expect(ill).toMatchObject([{ check: "engines", state: "fail" }]);
});
