import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { readEndpoint } from "../../src/store/embedded/engine-endpoint.ts";
import { findEngine } from "../../src/store/embedded/start-engine.ts";
import { openStore } from "../../src/store/open-store.ts";

const HOLDER = fileURLToPath(new URL("hold-engine.ts", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "almanac-orphan-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("waits for an engine that outlives its killed owner instead of sharing it", async () => {
  const owner = spawn(process.execPath, [HOLDER, folder], { stdio: ["ignore", "pipe", "inherit"] });
  await once(owner.stdout, "data");
  expect(await findEngine(folder)).toBeDefined();
  const engine = readEndpoint(folder)?.pid ?? 0;
  process.kill(engine, "SIGSTOP");
  owner.kill("SIGKILL");
  await once(owner, "exit");
  expect(await findEngine(folder)).toBeUndefined();
  let isOpen = false;
  const opening = openStore({ folder }).then((store) => {
    isOpen = true;
    return store;
  });
  await sleep(3000);
  expect(isOpen).toBe(false);
  process.kill(engine, "SIGCONT");
  const store = await opening;
  expect(await store.rows(fromDefinition("SELECT 1 AS one"))).toEqual([{ one: 1 }]);
  expect(readEndpoint(folder)).toMatchObject({ owner: process.pid });
  expect(readEndpoint(folder)?.pid).not.toBe(engine);
  await store.close();
});
