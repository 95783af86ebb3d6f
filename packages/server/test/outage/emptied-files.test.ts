import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fromDefinition } from "../../src/definition/sql.ts";
import { openStore } from "../../src/store/open-store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "almanac-emptied-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("starts the engine, with a password, on a folder whose files a power failure left empty", async () => {
  for (const name of ["engine.json", "engine-password"]) writeFileSync(join(folder, name), "");
  const store = await openStore({ folder });
  expect(await store.rows(fromDefinition("SELECT 1 AS one"))).toEqual([{ one: 1 }]);
  await store.close();
  expect(readFileSync(join(folder, "engine-password"), "utf8")).toMatch(/^[0-9a-f]{48}$/);
});
