import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Host } from "../../src/definition/connector.ts";
import type { Priority } from "../../src/ingest/budget.ts";
import { claimBudgets } from "../../src/ingest/control/claim-budgets.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { shareBudgets } from "../../src/ingest/share-budgets.ts";
import { openRecords, type Records } from "../../src/records/records.ts";

const VENUE: Host = { name: "venue", setting: "VENUE_URL", limits: { all: { tokens: 10, perSeconds: 1 } }, share: 1 };
const folder = mkdtempSync(join(tmpdir(), "almanac-budgets-"));
const log = pino({ level: "silent" });

let records: Records;
beforeAll(async () => {
  records = await openRecords({ dataDir: folder });
}, 60_000);
afterAll(async () => {
  await records?.close();
  rmSync(folder, { recursive: true, force: true });
});

function openProcess(role: Priority) {
  const sharing = shareBudgets({ role, db: records.db, clock: systemClock, log });
  const budget = sharing.budgetOf(VENUE);
  return { ...sharing, portion: () => budget.use()["all"]?.portion };
}

test("a backfill's process beside the service has a quarter of the host, and gives it back at its end", async () => {
  const service = openProcess("live");
  await service.claimNow();
  expect(service.portion()).toBe(1);
  const backfill = openProcess("backfill");
  await backfill.claimNow();
  await service.claimNow();
  expect([service.portion(), backfill.portion()]).toEqual([0.75, 0.25]);
  await backfill.end();
  await service.claimNow();
  expect(service.portion()).toBe(1);
  await service.end();
  expect(await records.db.selectFrom("budget_claims").selectAll().execute()).toEqual([]);
});

test("a process that died is forgotten when its claim runs out", async () => {
  const dead = { owner: "dead", weight: 3, hosts: ["venue"], seconds: 0.05 };
  await claimBudgets(records.db, dead);
  await systemClock.sleep(100);
  const alone = await claimBudgets(records.db, { owner: "alive", weight: 1, hosts: ["venue"], seconds: 10 });
  expect(alone.get("venue")).toBe(1);
});

test("a process whose streams passed to another one leaves it their hosts until it calls them again", async () => {
  await records.db.deleteFrom("budget_claims").execute();
  const [before, after] = [openProcess("live"), openProcess("live")];
  await before.claimNow();
  await after.claimNow();
  expect(after.portion()).toBe(0.5);
  await before.leave(["venue"]);
  await before.claimNow();
  await after.claimNow();
  expect(after.portion()).toBe(1);
  before.budgetOf(VENUE);
  await before.claimNow();
  await after.claimNow();
  expect([before.portion(), after.portion()]).toEqual([0.5, 0.5]);
  await before.end();
  await after.end();
});
