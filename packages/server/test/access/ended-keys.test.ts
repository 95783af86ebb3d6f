import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAccount } from "../../src/access/accounts.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { createKey, listKeys, revokeKey, rotateKey } from "../../src/access/keys.ts";
import { listAudit } from "../../src/access/list-audit.ts";
import { readAccountsUsage } from "../../src/access/read-accounts-usage.ts";
import { readUsage } from "../../src/access/read-usage.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { addManyKeys } from "../fixtures/many-rows.ts";
import { recordsHosts, type RecordsHost } from "../records/records-hosts.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-01-01T12:00:00Z");

let host: RecordsHost;
let records: Records;
let admin: AdminContext;
let now = START;
let account = "";
beforeAll(async () => {
  const embedded = recordsHosts().find(({ name }) => name === "embedded");
  if (embedded === undefined) throw new Error("embedded records are always there");
  host = await embedded.start();
  records = await openRecords(await host.newPlace());
  admin = { db: records.db, clock: () => now, actor: "test" };
});
afterAll(async () => {
  await records.close();
  await host.stop();
});
beforeEach(async () => {
  now = START;
  account = (await createAccount(admin, { name: "A", email: `${crypto.randomUUID()}@example.org` })).account.id;
});

const idsOf = async (): Promise<readonly string[]> => (await listKeys(admin, account)).keys.map(({ id }) => id);
const make = async () => (await createKey(admin, { account })).summary.id;
const use = async (key: string, day: string, requests: number): Promise<void> => {
  await sql`
    insert into usage (day, key_id, agent_id, status, requests, rows, bytes, ms, ms_buckets, ms_counts)
    values (cast(${day} as date), ${key}, 574, 200, ${requests}, 1, 1, 1, '{3}', array[cast(${requests} as bigint)])`.execute(
    records.db,
  );
};

test("deletes keys that ended 400 days ago with the next change and keeps their usage readable", async () => {
  const [first, second, kept] = [await make(), await make(), await make()];
  const expiring = (await createKey(admin, { account, expires: new Date(START + DAY) })).summary.id;
  const { replaced, summary: successor } = await rotateKey(admin, second, 0);
  await use(first, "2026-01-01", 2);
  await use(second, "2026-01-01", 5);
  await revokeKey(admin, first);
  await revokeKey(admin, successor.id);
  now = START + 399 * DAY;
  await make();
  expect(await idsOf()).toEqual(expect.arrayContaining([first, second, kept, expiring, successor.id]));
  now = START + 402 * DAY;
  const newest = await make();
  const left = await idsOf();
  expect(left).toEqual(expect.arrayContaining([kept, newest]));
  for (const gone of [first, replaced.id, expiring, successor.id]) expect(left).not.toContain(gone);
  const span = { from: "2026-01-01", to: "2026-01-31" };
  const { lines } = await readUsage(admin, account, { ...span, by: "key" }, 10);
  expect(lines).toMatchObject([{ key_id: account, key_name: "Former keys", requests: 7, ms_p50: expect.any(Number) }]);
  now = START + DAY;
  const { accounts } = await readAccountsUsage(admin, 10);
  expect(accounts.find(({ account_id }) => account_id === account)?.requests_30d).toBe(7);
  const { entries } = await listAudit(admin, { account });
  const dropped = entries.find(({ action }) => action === "key.drop_ended");
  expect(dropped).toMatchObject({ subject: account, detail: { keys: expect.arrayContaining([first]) as unknown } });
  expect(entries.filter(({ action, subject }) => action === "key.revoke" && subject === first)).toHaveLength(1);
});

test("deletes the oldest of more than a thousand ended keys, and no working key", async () => {
  const working = await make();
  await addManyKeys(records.db, account);
  const key = await make();
  now = Date.now() + DAY;
  await revokeKey(admin, key);
  const { rows } = await sql<{ state: string; keys: number }>`
    select case when revoked_at is null then 'working' else 'ended' end as state, cast(count(*) as integer) as keys
    from api_keys where account_id = ${account} group by 1 order by 1`.execute(records.db);
  expect(rows).toEqual([
    { state: "ended", keys: 1000 },
    { state: "working", keys: 1 },
  ]);
  expect((await listKeys(admin, account, "key_01")).keys.map(({ id }) => id)).toContain(working);
});
