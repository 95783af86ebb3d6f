import { deserialize, serialize } from "node:v8";
import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { createAccount } from "../../src/access/accounts.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { createKey, setKeyMode } from "../../src/access/keys.ts";
import { keyVerifier } from "../../src/access/verify-key.ts";
import { recordsThrough } from "../../src/records/records.ts";
import { fileRecords } from "../records/file-records.ts";

const records = fileRecords();

test("a worker reads a key's mode from its owner, and sees a change within a second, or immediately if notified", async () => {
  let now = Date.now();
  const admin: AdminContext = { db: records.db, clock: () => now, actor: "test" };
  await createAccount(admin, { name: "A", email: "a@x.example" });
  const { key, summary } = await createKey(admin, { account: "a@x.example", mode: "compatible" });
  // Rows as they arrive over the channel between a worker and its owner.
  const db = recordsThrough(async (text, parameters) => {
    const { rows } = await records.db.executeQuery(CompiledQuery.raw(text, [...parameters]));
    return deserialize(serialize(rows)) as readonly Record<string, unknown>[];
  });
  const [reported, unreported] = [keyVerifier(db, () => now), keyVerifier(db, () => now)];
  const modes = async () => [(await reported.verify(key))?.mode, (await unreported.verify(key))?.mode];
  expect(await modes()).toEqual(["compatible", "compatible"]);
  await setKeyMode(admin, summary.id, { mode: "strict" });
  reported.forget();
  expect(await modes()).toEqual(["strict", "compatible"]);
  now += 999;
  expect(await modes()).toEqual(["strict", "strict"]);
});
