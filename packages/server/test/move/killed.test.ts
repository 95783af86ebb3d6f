import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  for (const name of ["copied", "restored"]) await (await openMigratedStore(join(folder, name, "columns"))).close();
  writeFileSync(join(folder, "copied.env"), `ALMANAC_DATA_DIR=${join(folder, "copied")}\n`);
}, SLOW);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));

const almanac = (dataDir: string, ...args: readonly string[]): Running =>
  runAlmanac({ ALMANAC_DATA_DIR: join(folder, dataDir) }, ...args);

/** Waits until the journal of a target says that rows of the fills are on their way. */
async function untilUnderWay(dataDir: string, kind: string): Promise<void> {
  const moves = join(folder, dataDir, "moves");
  for (;;) {
    const file = existsSync(moves)
      ? readdirSync(moves).find((one) => one.startsWith(kind) && one.endsWith(".json"))
      : undefined;
    const text = file === undefined ? "" : readFileSync(join(moves, file), "utf8");
    if (text.includes("polymarket_fills")) return;
    await sleep(5);
  }
}

describe("a command that was killed", { timeout: SLOW }, () => {
  test("goes on copying and ends with the same rows and records on both sides", async () => {
    const args = ["copy", "--to", join(folder, "copied.env")];
    const first = almanac("source", ...args, "--rate", "1");
    await untilUnderWay("copied", "copy");
    first.kill();
    expect((await first.ended).code).toBeNull();
    const second = await almanac("source", ...args).ended;
    expect(second).toMatchObject({ code: 0, value: { is_same: true, differences: [] } });
    const fills = (second.value["tables"] as { table: string; target: unknown }[]).find(
      (one) => one.table === "polymarket_fills",
    );
    expect(fills?.target).toMatchObject({ rows: "20250" });
    expect(await almanac("source", ...args, "--verify").ended).toMatchObject({ code: 0, value: { is_same: true } });
  });

  test("leaves no half backup, and restoring goes on to the same rows", async () => {
    const place = join(folder, "backups");
    expect((await almanac("source", "backup", "create", place).ended).code).toBe(0);
    const first = almanac("restored", "restore", place);
    await untilUnderWay("restored", "restore");
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

describe("a copy", { timeout: SLOW }, () => {
  test("is refused by a target that has lived since it was copied to, unless that may be overwritten", async () => {
    const args = ["copy", "--to", join(folder, "copied.env")];
    const accounts = async () => (await almanac("copied", "account", "list").ended).value;
    expect(await almanac("source", ...args).ended).toMatchObject({ code: 0, value: { is_same: true } });
    const made = ["account", "create", "--name", "Ann", "--email", "ann@example.org"];
    expect((await almanac("copied", ...made).ended).code).toBe(0);
    const refused = await almanac("source", ...args).ended;
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.said).toContain("--overwrite");
    expect(await accounts()).toMatchObject({ accounts: [{ email: "ann@example.org" }] });
    expect(await almanac("source", ...args, "--overwrite").ended).toMatchObject({ code: 0, value: { is_same: true } });
    expect(await accounts()).toMatchObject({ accounts: [] });
  });
});
