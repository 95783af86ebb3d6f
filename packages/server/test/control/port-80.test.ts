import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, expect, test, vi } from "vitest";
import { connectors } from "../../src/catalogue.ts";
import { readConfig } from "../../src/config.ts";
import { askOwner } from "../../src/control/ask-owner.ts";
import { openServing } from "../../src/main/serving.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { tempFolder } from "../records/temp-folder.ts";

const folder = tempFolder();
afterAll(() => folder.remove());

/** The port of http, which URLs omit, needs a privilege on most machines. */
async function mayListenOn80(): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(80, "127.0.0.1"), "listening");
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}

test.skipIf(!(await mayListenOn80()))("a service on port 80 is there again after a restore", async () => {
  const environment = {
    ALMANAC_DATA_DIR: join(folder.path, "data"),
    ALMANAC_PORT: "80",
    STREAMS_OFF: connectors.map(({ name }) => name).join(","),
  };
  await layMigrated(environment.ALMANAC_DATA_DIR);
  const serving = await openServing(readConfig(environment), pino({ level: "silent" }));
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const place = join(folder.path, "backups");
    expect(await askOwner(["backup", "create", place], environment)).toBe(0);
    expect(await askOwner(["restore", place, "--overwrite"], environment)).toBe(0);
    expect((await fetch("http://127.0.0.1:80/health")).status).toBe(200);
  } finally {
    out.mockRestore();
    err.mockRestore();
    await serving.close();
  }
});
