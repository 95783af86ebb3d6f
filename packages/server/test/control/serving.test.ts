import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connectors } from "../../src/catalogue.ts";
import { readConfig } from "../../src/config.ts";
import { askOwner } from "../../src/control/ask-owner.ts";
import { openServing, portOf, type Serving } from "../../src/main/serving.ts";
import { polymarketFills } from "../../src/tables/index.ts";
import { fill } from "../fixtures/sample-rows.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { tempFolder } from "../records/temp-folder.ts";

const folder = tempFolder();
const environment = {
  ALMANAC_DATA_DIR: join(folder.path, "data"),
  ALMANAC_PORT: "0",
  STREAMS_OFF: connectors.map(({ name }) => name).join(","),
};
let serving: Serving;
beforeAll(async () => {
  await layMigrated(environment.ALMANAC_DATA_DIR);
  serving = await openServing(readConfig(environment), pino({ level: "silent" }));
});
afterAll(async () => {
  await serving.close();
  folder.remove();
});

/** Runs a command line as from another process, as far as the service can tell. */
async function almanac(argv: string): Promise<Record<string, unknown>> {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const code = await askOwner([...argv.split(" "), "--json"], environment);
    expect([code, err.mock.calls.map(([text]) => text).join("")]).toEqual([0, expect.not.stringContaining("almanac:")]);
    return JSON.parse(out.mock.calls.map(([text]) => text).join("")) as Record<string, unknown>;
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

const accounts = async (): Promise<number> => ((await almanac("account list"))["accounts"] as unknown[]).length;

async function addressInErrors(): Promise<string> {
  const { error } = (await (await fetch(`${serving.baseUrl}/nothing`)).json()) as { error: { docs: string } };
  return error.docs.replace("/docs/errors/not-found", "");
}

test("commands run in the service: records, status, a rebuild, a backup, and a restore that closes the service meanwhile", async () => {
  await serving.service().engines.store.insert(polymarketFills, [fill(1), fill(2)]);
  expect(await addressInErrors()).toBe(serving.baseUrl);
  await almanac("account create --name a --email a@x.example");
  expect(await almanac("status")).toMatchObject({ trouble: [] });
  const { derived } = await almanac("derive --rebuild --table polymarket_candles_1m");
  expect(derived).toEqual([expect.objectContaining({ made: "all" })]);
  const place = join(folder.path, "backups");
  expect(await almanac(`backup create ${place}`)).toMatchObject({ place, rows: expect.any(Number) });
  await almanac("account create --name b --email b@x.example");
  expect(await accounts()).toBe(2);
  const restored = await almanac(`restore ${place} --overwrite`);
  expect(restored["is_same"]).toBe(true);
  expect(await accounts()).toBe(1);
  const answer = await fetch(`${serving.baseUrl}/ready`);
  expect(answer.status).toBe(200);
  expect(await addressInErrors()).toBe(serving.baseUrl);
});

test("a service reopened after exclusive work keeps its port, also if the address omits it", () => {
  expect(["http://127.0.0.1:8080", "http://127.0.0.1", "http://127.0.0.1:80"].map(portOf)).toEqual([8080, 80, 80]);
});
