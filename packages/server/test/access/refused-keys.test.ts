import { expect, test } from "vitest";
import { createAccount, disableAccount } from "../../src/access/accounts.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { newKey } from "../../src/access/find.ts";
import { createKey, revokeKey } from "../../src/access/keys.ts";
import { keyVerifier } from "../../src/access/verify-key.ts";
import { fileRecords } from "../records/file-records.ts";

const records = fileRecords();

test("refuses a key that is revoked, expired, unknown or of a disabled account", async () => {
  let now = Date.now();
  const admin: AdminContext = { db: records.db, clock: () => now, actor: "test" };
  const { verify, forget } = keyVerifier(records.db, () => now);
  await createAccount(admin, { name: "A", email: "a@x.example" });
  await createAccount(admin, { name: "B", email: "b@x.example" });
  const good = await createKey(admin, { account: "a@x.example" });
  const revoked = await createKey(admin, { account: "a@x.example" });
  const expiring = await createKey(admin, { account: "a@x.example", expires: new Date(now + 60_000) });
  const disabled = await createKey(admin, { account: "b@x.example" });
  const keys = [good.key, revoked.key, expiring.key, disabled.key, newKey()];
  const areOpen = async () => (await Promise.all(keys.map(verify))).map((caller) => caller !== undefined);
  expect(await areOpen()).toEqual([true, true, true, true, false]);
  await revokeKey(admin, revoked.summary.id);
  await disableAccount(admin, "b@x.example", true);
  forget();
  now += 60_000;
  expect(await areOpen()).toEqual([true, false, false, false, false]);
});
