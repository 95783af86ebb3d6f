import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMigratedStore } from "../fixtures/open-migrated-store.ts";
import { fill, insertSamples, table } from "../fixtures/sample-rows.ts";
import { runAlmanac, type Running } from "./run-almanac.ts";

const SLOW = 600_000;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-killed-"));
  const store = await openMigratedStore(join(folder, "source", "columns"));
  await insertSamples(store);
  await store.insert(
    table("polymarket_fills"),
    Array.from({ length: 20_000 }, (_, index) => fill(1000 + index)),
  );
  await store.close();
  await (await openMigratedStore(join(folder, "restored", "columns"))).close();
}, SLOW);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));

const almanac = (dataDir: string, ...args: readonly string[]): Running =>
  runAlmanac({ ALMANAC_DATA_DIR: join(folder, dataDir) }, ...args);

/** Waits until the journal of a restore shows that rows of the fills are being restored. */
async function untilUnderWay(dataDir: string): Promise<void> {
  const journal = join(folder, dataDir, "moves", "restore.json");
  while (!existsSync(journal) || !readFileSync(journal, "utf8").includes("polymarket_fills")) await sleep(5);
}

describe("a command that was killed", { timeout: SLOW }, () => {
  test("leaves no incomplete backup, and a restore run again ends with the same rows", async () => {
    const place = join(folder, "backups");
    expect((await almanac("source", "backup", "create", place).ended).code).toBe(0);
    const first = almanac("restored", "restore", place);
    await untilUnderWay("restored");
    first.kill();
    await first.ended;
    const second = await almanac("restored", "restore", place).ended;
    expect(second).toMatchObject({ code: 0, value: { is_same: true } });
    const cut = almanac("source", "backup", "create", place, "--rate", "1");
    while (!readdirSync(place).some((name) => existsSync(join(place, name, "draft.json")))) await sleep(5);
    cut.kill();
    await cut.ended;
    const listed = await almanac("source", "backup", "list", place).ended;
    expect(listed.value).toHaveLength(1);
    expect(await almanac("source", "restore", place).ended).toMatchObject({ code: 1 });
  });
});
