import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccount, setPlan } from "../../src/access/accounts.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { createKey, listKeys, renameKey, revokeKey, rotateKey } from "../../src/access/keys.ts";
import { editPlan, listPlans } from "../../src/access/plans.ts";
import { createUser, disableUser, listUsers } from "../../src/access/users.ts";
import { openRecords, type Records } from "../../src/records/records.ts";
import { recordsHosts, type RecordsHost } from "../records/records-hosts.ts";

const quick = async (): Promise<string> => "$argon2id$none";

const times = <T>(many: number, run: () => Promise<T>): Promise<T>[] => Array.from({ length: many }, run);
const refusalsOf = async (runs: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(runs)).flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));

for (const { name, isAbsent, start } of recordsHosts()) describe.skipIf(isAbsent)(name, () => roomSuite(start));

function roomSuite(start: () => Promise<RecordsHost>): void {
  let host: RecordsHost;
  let records: Records;
  let admin: AdminContext;
  let hasServer: boolean;
  let account: string;
  let owner: string;
  beforeAll(async () => {
    host = await start();
    const place = await host.newPlace();
    hasServer = "url" in place;
    records = await openRecords(place);
    admin = { db: records.db, clock: Date.now, actor: "test" };
  });
  afterAll(async () => {
    await records?.close();
    await host?.stop();
  });
  const newAccount = async (role: "owner" | "operator" = "owner") =>
    await createAccount(admin, { name: "A", email: `${randomUUID()}@example.org`, role }, quick);
  beforeEach(async () => {
    const made = await newAccount();
    account = made.account.id;
    owner = made.user.id;
  });

  const makeKey = async (): Promise<string> => (await createKey(admin, { account })).summary.id;
  const makeUser = async (): Promise<string> =>
    (await createUser(admin, { account, email: `${randomUUID()}@example.org`, name: "U" }, quick)).user.id;

  test("plans have default limits for keys and users", async () => {
    const plans = await listPlans(admin);
    expect(plans.map(({ name, keys, users }) => [name, keys, users])).toEqual([
      ["free", 5, 3],
      ["pro", 50, 25],
      ["enterprise", 500, 250],
    ]);
  });

  test("creates no key for an account that is being disabled", async () => {
    let creating: Promise<unknown> | undefined;
    await records.db.transaction().execute(async (inside) => {
      await inside.updateTable("accounts").set({ disabled_at: new Date() }).where("id", "=", account).execute();
      creating = makeKey().catch((error: unknown) => error);
      if (!hasServer) return;
      const waiting = sql<{ many: number }>`select count(*)::int as many from pg_locks where not granted`;
      await expect.poll(async () => (await waiting.execute(records.db)).rows).toEqual([{ many: 1 }]);
    });
    expect(await creating).toMatchObject({ problem: "conflict", message: expect.stringContaining("is disabled") });
  });

  test("creates only the plan's number of 20 concurrent keys; errors state the limit and a remedy", async () => {
    const refused = await refusalsOf(times(20, makeKey));
    const message =
      "the plan free gives an account 5 keys, and this one has 5 that are neither revoked nor expired; revoke one first, or ask the operator for more";
    expect(refused).toEqual(
      Array.from({ length: 15 }, () => expect.objectContaining({ problem: "conflict", message })),
    );
    const { keys } = await listKeys(admin, account);
    expect(keys).toHaveLength(5);
    await revokeKey(admin, keys[0]?.id ?? "");
    await makeKey();
    await expect(makeKey()).rejects.toMatchObject({ problem: "conflict" });
  });

  test("creates only the plan's number of 20 concurrent users; disabling one makes room", async () => {
    const refused = await refusalsOf(times(20, makeUser));
    const message =
      "the plan free gives an account 3 users, and this one has 3 who are not disabled; disable one first, or ask the operator for more";
    expect(refused).toEqual(
      Array.from({ length: 18 }, () => expect.objectContaining({ problem: "conflict", message })),
    );
    expect((await listUsers(admin, account)).users).toHaveLength(3);
    await disableUser(admin, owner, true);
    await makeUser();
    await expect(disableUser(admin, owner, false)).rejects.toMatchObject({ problem: "conflict", message });
    await editPlan(admin, "free", { users: 4 });
    await disableUser(admin, owner, false);
    // A user who is not disabled may be enabled, however full the account is.
    await disableUser(admin, owner, false);
    await editPlan(admin, "free", { users: 3 });
  });

  test("enabling users concurrently admits no more than the plan allows", async () => {
    const ids = [await makeUser(), await makeUser()];
    for (const id of ids) await disableUser(admin, id, true);
    ids.push(await makeUser());
    const refused = await refusalsOf(ids.map((id) => disableUser(admin, id, false)));
    expect(refused).toHaveLength(1);
    const { users } = await listUsers(admin, account);
    expect(users.filter(({ disabled_at }) => disabled_at === null)).toHaveLength(3);
  });

  test("concurrent rotations never leave more than twice the plan's number of keys", async () => {
    const keys = await Promise.all(times(5, makeKey));
    const successors = await Promise.all(keys.map(async (id) => (await rotateKey(admin, id)).summary.id));
    const refused = await refusalsOf(successors.map((id) => rotateKey(admin, id)));
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ problem: "conflict" });
    expect(String(refused[0])).toContain("the plan free gives an account 5 keys, and this one has 10");
  });

  const auditOf = async (action: string, subject: string) =>
    await records.db
      .selectFrom("audit")
      .select("detail")
      .where("action", "=", action)
      .where("subject", "=", subject)
      .orderBy("id")
      .execute();

  test("concurrent changes of a key or an account follow one another, and a key is revoked once", async () => {
    const key = await makeKey();
    await Promise.all(Array.from({ length: 20 }, (_, place) => renameKey(admin, key, { name: `name ${place}` })));
    const renamed = (await auditOf("key.rename", key)).map(({ detail }) => (detail as { before: string }).before);
    expect(new Set(renamed).size).toBe(20);
    await Promise.all(times(20, () => revokeKey(admin, key)));
    expect(await auditOf("key.revoke", key)).toHaveLength(1);
    await Promise.all(Array.from({ length: 20 }, (_, place) => setPlan(admin, account, place % 2 ? "pro" : "free")));
    const plans = (await auditOf("account.set_plan", account)).map(({ detail }) => detail as Record<string, string>);
    expect(plans.filter(({ before }, place) => before !== (plans[place - 1]?.["plan"] ?? "free"))).toEqual([]);
  });

  test("an account over its limit keeps its keys and users, may rotate keys, and creates nothing more", async () => {
    await setPlan(admin, account, "pro");
    const keys = await Promise.all(times(12, makeKey));
    await Promise.all(times(5, makeUser));
    await setPlan(admin, account, "free");
    for (const id of keys) await rotateKey(admin, id, 0);
    const { keys: all } = await listKeys(admin, account);
    expect(all.filter(({ state }) => state === "active")).toHaveLength(12);
    await expect(makeKey()).rejects.toThrow("gives an account 5 keys, and this one has 12");
    await expect(makeUser()).rejects.toThrow("gives an account 3 users, and this one has 6");
  });

  test("the plan does not limit an operator's account", async () => {
    account = (await newAccount("operator")).account.id;
    await Promise.all(times(8, makeKey));
    await Promise.all(times(5, makeUser));
    expect((await listKeys(admin, account)).keys).toHaveLength(8);
  });

  test("the number of disabled users is limited too", async () => {
    await sql`
      insert into users (id, account_id, email, name, role, password_hash, must_change_password, disabled_at)
      select ${account} || n, ${account}, ${account} || n || '@example.org', 'U', 'member', 'x', true, now()
      from generate_series(1, 999) as n`.execute(records.db);
    await expect(makeUser()).rejects.toThrow("the account has 1000 users, including disabled ones");
  });

  test.each([{ keys: 0 }, { keys: 1001 }, { users: 0 }, { users: 1001 }, { keys: 1.5 }])(
    "rejects %j as a limit of a plan",
    async (wanted) => {
      await expect(editPlan(admin, "pro", wanted)).rejects.toMatchObject({ problem: "invalid" });
    },
  );
}
