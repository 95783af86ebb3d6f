import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../../src/access/accounts.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { usageCounter } from "../../src/access/count-usage.ts";
import { createKey } from "../../src/access/keys.ts";
import { readUsage } from "../../src/access/read-usage.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { tempFolder } from "../records/temp-folder.ts";

const folder = tempFolder();
let records: Records;
beforeAll(async () => {
  records = await openRecords({ dataDir: folder.path });
});
afterAll(async () => {
  await records?.close();
  folder.remove();
});

test("each flush ends once all that was counted before it is written, also if others wait for the one under way", async () => {
  const admin: AdminContext = { db: records.db, clock: Date.now, actor: "test" };
  const { account } = await createAccount(admin, { name: "a", email: "a@x.example" });
  const { summary } = await createKey(admin, { account: account.id });
  const usage = usageCounter(records.db, Date.now, { warn: () => expect.fail("not written") });
  const count = (): void => usage.count({ keyId: summary.id, agentId: 556, status: 200, rows: 1, bytes: 1, ms: 1 });
  const written: string[] = [];
  count();
  const underWay = usage.flush().then(() => written.push("under way"));
  count();
  const waiting = usage.flush().then(() => written.push("waiting"));
  await usage.flush();
  expect(written).toEqual(["under way", "waiting"]);
  await Promise.all([underWay, waiting]);
  count();
  await usage.flush();
  expect((await readUsage(admin, account.id, {}, 10)).lines).toMatchObject([{ requests: 3 }]);
});
