import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openAccess } from "../../src/access/access.ts";
import type { Access, AccessOptions, Caller } from "../../src/access/access.ts";
import { createAccount, disableAccount, setPlan } from "../../src/access/accounts.ts";
import { createKey, rotateKey, listKeys, revokeKey, setKeyMode } from "../../src/access/keys.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { editPlan } from "../../src/access/plans.ts";
import { bucketOf } from "../../src/access/latency-buckets.ts";
import { newKey } from "../../src/access/find.ts";
import { CallerError } from "../../src/definition/errors.ts";
import { openRecords } from "../../src/records/records.ts";
import type { Records } from "../../src/records/records.ts";
import { recordsHosts } from "../records/records-hosts.ts";
import type { RecordsHost } from "../records/records-hosts.ts";
import { countUnderWay } from "../fixtures/count-under-way.ts";
import { answeredBy, newHold } from "../fixtures/held-answers.ts";

const DAY = 86_400_000;
const WITHIN_A_SECOND_MS = 999;

for (const { name, isAbsent, start } of recordsHosts()) {
  describe.skipIf(isAbsent)(name, () => accessSuite(start, name === "embedded"));
}

/** Writes on its own only when the test advances its timer. */
function openTimed(options: Omit<AccessOptions, "clock">): Access {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  return openAccess({ ...options, clock: Date.now });
}

const LOOKING_UP = 5;

/** Opens one connection per concurrent look-up, so that no look-up waits for one to be opened. */
async function openConnections(db: Records["db"]): Promise<void> {
  const all = Promise.withResolvers<void>();
  let open = 0;
  const hold = async (): Promise<void> => {
    open += 1;
    if (open === LOOKING_UP) all.resolve();
    await all.promise;
  };
  await Promise.all(Array.from({ length: LOOKING_UP }, () => db.connection().execute(hold)));
}

const requestsOf = ({ db }: Records, keyId: string) =>
  db.selectFrom("usage").select("requests").where("key_id", "=", keyId).execute();

function accessSuite(start: () => Promise<RecordsHost>, takesTurns: boolean): void {
  let host: RecordsHost;
  const warnings: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void warnings.push(line) };

  let records: Records;
  let elsewhere: Records;
  let admin: AdminContext;
  let access: Access;
  beforeAll(async () => {
    host = await start();
    const place = await host.newPlace();
    records = await openRecords(place);
    // Another node: its own connection to the same records.
    elsewhere = takesTurns ? records : await openRecords(place);
    admin = { db: records.db, clock: Date.now, actor: "test" };
    access = openAccess({ records, clock: Date.now, log });
    await createAccount(admin, { name: "A", email: "A@Example.org", plan: "pro" });
  });
  afterAll(async () => {
    await access.close();
    await records.close();
    if (!takesTurns) await elsewhere.close();
    await host.stop();
  });

  const turns = takesTurns ? " (left out: embedded records take turns)" : "";
  const make = async (more: object = {}) => await createKey(admin, { account: "a@example.org", ...more });

  describe("a key", () => {
    test("is verified with its account's plan", async () => {
      const { key, summary } = await make({ name: "mine", datasets: [556] });
      expect(await access.verify(key)).toEqual({
        keyId: summary.id,
        prefix: key.slice(0, 15),
        accountId: summary.account_id,
        datasets: [556],
        mode: "strict",
        keyPace: null,
        plan: {
          name: "pro",
          requestsPerMinute: 600,
          burst: 120,
          maxPage: 1000,
          maxList: 200,
          atOnce: 64,
          keyAtOnce: 32,
          datasets: ["free", "pro"],
        },
      } satisfies Caller);
    });

    test("is not stored in the records, nor is anything it could be derived from", async () => {
      const { key } = await make();
      const secret = key.split("_")[2] ?? "";
      const { db } = records;
      const everything = JSON.stringify([
        await db.selectFrom("api_keys").selectAll().execute(),
        await db.selectFrom("audit").selectAll().execute(),
      ]);
      expect(everything).not.toContain(secret);
      expect(everything).toContain(key.slice(0, 15));
      expect(JSON.stringify((await listKeys(admin)).keys)).not.toContain("digest");
    });

    test("is refused alike if it is malformed, unknown, expired, revoked or of a disabled account", async () => {
      let now = Date.now();
      const later = openAccess({ records, clock: () => now, log });
      const expiring = await make({ expires: new Date(now + 60_000) });
      const revoked = await make();
      await revokeKey(admin, revoked.summary.id);
      await createAccount(admin, { name: "B", email: "b@example.org" });
      const closed = await createKey(admin, { account: "b@example.org" });
      await disableAccount(admin, "b@example.org", true);
      expect(await later.verify(expiring.key)).toBeDefined();
      now += 60_000;
      const answers = await Promise.all(
        ["", "x", newKey(), expiring.key, revoked.key, closed.key, `${revoked.key} `].map((token) =>
          later.verify(token),
        ),
      );
      expect(answers).toEqual(answers.map(() => undefined));
      await disableAccount(admin, "b@example.org", false);
      now += 1000;
      expect(await later.verify(closed.key)).toBeDefined();
      await later.close();
    });

    test("expires to the millisecond although its look-up is cached", async () => {
      let now = Date.now();
      const later = openAccess({ records, clock: () => now, log });
      const { key, summary } = await make({ expires: new Date(now + 500) });
      const end = summary.expires_at?.getTime() ?? 0;
      now = end - 1;
      expect(await later.verify(key)).toBeDefined();
      now = end;
      expect(await later.verify(key)).toBeUndefined();
      await later.close();
    });

    test("is refused within one second of its revocation on every node, immediately on the node notified", async () => {
      const { key, summary } = await make();
      let now = Date.now();
      const there = openAccess({ records: elsewhere, clock: () => now, log });
      expect(await access.verify(key)).toBeDefined();
      expect(await there.verify(key)).toBeDefined();
      await revokeKey(admin, summary.prefix);
      access.forget();
      expect(await access.verify(key)).toBeUndefined();
      now += WITHIN_A_SECOND_MS;
      expect(await there.verify(key)).toBeUndefined();
      await there.close();
    });

    test("has a changed mode within one second on every node, immediately on the node notified", async () => {
      const { key, summary } = await make();
      let now = Date.now();
      const there = openAccess({ records: elsewhere, clock: () => now, log });
      expect((await access.verify(key))?.mode).toBe("strict");
      expect((await there.verify(key))?.mode).toBe("strict");
      await setKeyMode(admin, summary.prefix, { mode: "compatible" });
      access.forget();
      expect((await access.verify(key))?.mode).toBe("compatible");
      now += WITHIN_A_SECOND_MS;
      expect((await there.verify(key))?.mode).toBe("compatible");
      await there.close();
    });

    test("is looked up once a second however often it is used", async () => {
      const { key } = await make();
      let now = Date.now();
      let looked = 0;
      const counting = records.db.withPlugin({
        transformQuery: ({ node }) => {
          looked += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const counted = openAccess({ records: { db: counting }, clock: () => now, log });
      await Promise.all(Array.from({ length: 200 }, () => counted.verify(key)));
      for (let turn = 0; turn < 200; turn += 1) await counted.verify(key);
      expect(looked).toBe(1);
      now += 900;
      await counted.verify(key);
      expect(looked).toBe(2);
      for (let turn = 0; turn < 50; turn += 1) await counted.verify(`alm_live_${"a".repeat(26)}_aaaaab`);
      expect(looked).toBe(2);
      await counted.close();
    });

    test.each([
      ["a second later", () => undefined],
      ["after word that keys changed", (reported: Access) => reported.forget()],
    ])("that is known does not wait for unknown keys, few of which are looked up concurrently: %s", async (_, then) => {
      const { key } = await make();
      let now = Date.now();
      const unknown = Promise.withResolvers<void>();
      // Embedded records have a single connection, which a held answer would occupy.
      const holding = records.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (result.rows.length === 0 && !takesTurns) await unknown.promise;
          return result;
        },
      });
      const { db: counting, most } = countUnderWay(holding);
      const counted = openAccess({ records: { db: counting }, clock: () => now, log });
      expect(await counted.verify(key)).toBeDefined();
      if (!takesTurns) await openConnections(records.db);
      now += 1000;
      then(counted);
      let answered = 0;
      const note = (): void => void (answered += 1);
      const strangers = Array.from({ length: 2000 }, () => counted.verify(newKey()).then(note, note));
      expect(await counted.verify(key)).toBeDefined();
      expect(answered).toBeLessThan(1000);
      unknown.resolve();
      await Promise.all(strangers);
      expect(most()).toBeLessThanOrEqual(4);
      await counted.close();
    });

    test("that is known does not wait for unresponsive records; one that is unknown does", async () => {
      const { key } = await make();
      let now = Date.now();
      const waiting = openAccess({ records, clock: () => now, log });
      expect(await waiting.verify(key)).toBeDefined();
      now += 1000;
      const held = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      const holding = elsewhere.db.transaction().execute(async (transaction) => {
        await sql`lock table api_keys in access exclusive mode`.execute(transaction);
        held.resolve();
        await over.promise;
      });
      await held.promise;
      const answered: string[] = [];
      const note = (): void => void answered.push("stranger");
      const stranger = waiting.verify(newKey()).then(note, note);
      expect(await waiting.verify(key)).toBeDefined();
      answered.push("known");
      over.resolve();
      await Promise.all([holding, stranger]);
      expect(answered).toEqual(["known", "stranger"]);
      await waiting.close();
    });

    test("stays known if its look-up is answered after the next one began", async () => {
      const { key } = await make();
      let now = Date.now();
      const [first, others] = [newHold(), newHold()];
      const slow = openAccess({
        records: { db: answeredBy(records.db, [first.pass, others.fail]) },
        clock: () => now,
        log,
      });
      const early = slow.verify(key);
      await first.isReached;
      now += 5000;
      const late = slow.verify(key).catch((reason: unknown) => reason);
      first.open();
      expect(await early).toBeDefined();
      others.open();
      expect(await late).toMatchObject({ code: "UNAVAILABLE" });
      expect(await slow.verify(key)).toBeDefined();
      await slow.close();
    });

    test.skipIf(takesTurns)(
      `is not treated as known after revocation if an older look-up answer arrives late${turns}`,
      async () => {
        const { key, summary } = await make();
        let now = Date.now();
        const [first, second, others] = [newHold(), newHold(), newHold()];
        const db = answeredBy(records.db, [first.pass, second.pass, others.fail]);
        const slow = openAccess({ records: { db }, clock: () => now, log });
        const early = slow.verify(key);
        await first.isReached;
        await revokeKey(admin, summary.id);
        now += 5000;
        second.open();
        expect(await slow.verify(key)).toBeUndefined();
        first.open();
        expect(await early).toBeDefined();
        now += 1000;
        others.open();
        await expect(slow.verify(key)).rejects.toMatchObject({ code: "UNAVAILABLE" });
        await slow.close();
      },
    );

    test("fails with UNAVAILABLE if it cannot be looked up, and the failure is not cached", async () => {
      const { key } = await make();
      const broken = openAccess({ records, clock: Date.now, log });
      await sql`alter table api_keys rename to away`.execute(records.db);
      const error = await broken.verify(key).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CallerError);
      expect(error).toMatchObject({ code: "UNAVAILABLE", retryAfterSeconds: 1 });
      await sql`alter table away rename to api_keys`.execute(records.db);
      expect(await broken.verify(key)).toBeDefined();
      await broken.close();
    });
  });

  describe("rotation", () => {
    test("creates a successor; both keys work until the overlap ends", async () => {
      let now = Date.now();
      const later = openAccess({ records, clock: () => now, log });
      const old = await make({ name: "turning", datasets: [556, 574] });
      const next = await rotateKey(admin, old.summary.id, 60_000);
      expect(next.summary).toMatchObject({ name: "turning", datasets: [556, 574], expires_at: null, state: "active" });
      expect(next.replaced.replaced_by).toBe(next.summary.id);
      expect(await later.verify(old.key)).toBeDefined();
      expect(await later.verify(next.key)).toBeDefined();
      now += 61_000;
      expect(await later.verify(old.key)).toBeUndefined();
      expect(await later.verify(next.key)).toBeDefined();
      await expect(rotateKey(admin, old.summary.id)).rejects.toMatchObject({ problem: "conflict" });
      await later.close();
    });

    test("never extends the lifetime of the old key", async () => {
      const ends = new Date(Date.now() + DAY / 2);
      const { summary } = await make({ expires: ends });
      const { replaced, summary: next } = await rotateKey(admin, summary.id, 2 * DAY);
      expect(replaced.expires_at).toEqual(ends);
      expect(next.expires_at).toEqual(ends);
    });

    test("creates one successor if two callers rotate a key concurrently", async () => {
      const { summary } = await make();
      const both = await Promise.allSettled([
        rotateKey(admin, summary.id),
        rotateKey({ ...admin, db: elsewhere.db }, summary.id),
      ]);
      expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    });

    test.skipIf(takesTurns)(`creates no successor for a key that is revoked meanwhile${turns}`, async () => {
      const { summary } = await make({ name: "meanwhile" });
      let isRevoked = false;
      const db = records.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (isRevoked) return result;
          isRevoked = true;
          await revokeKey({ ...admin, db: elsewhere.db }, summary.id);
          return result;
        },
      });
      await expect(rotateKey({ ...admin, db }, summary.id)).rejects.toMatchObject({ problem: "conflict" });
      const keys = (await listKeys(admin)).keys.filter((key) => key.name === "meanwhile");
      expect(keys.map(({ id, state }) => [id, state])).toEqual([[summary.id, "revoked"]]);
    });
  });

  describe("accounts and plans", () => {
    test("rejects an e-mail address that is already in use, whatever its case", async () => {
      await expect(createAccount(admin, { name: "A", email: "a@EXAMPLE.org" })).rejects.toMatchObject({
        problem: "conflict",
      });
    });

    test.each([
      [{ name: "", email: "c@example.org" }, "invalid"],
      [{ name: "C", email: "nobody" }, "invalid"],
      [{ name: "C", email: "c@example.org", plan: "gold" }, "not_found"],
    ])("rejects account %j as %s", async (input, problem) => {
      await expect(createAccount(admin, input)).rejects.toMatchObject({ problem });
    });

    test("rejects a key for an unknown account, with a past expiry or without datasets", async () => {
      await expect(make({ account: "nobody@example.org" })).rejects.toMatchObject({ problem: "not_found" });
      await expect(make({ expires: new Date(0) })).rejects.toMatchObject({ problem: "invalid" });
      await expect(make({ datasets: [] })).rejects.toMatchObject({ problem: "invalid" });
    });

    test("applies an assigned or edited plan immediately after forget", async () => {
      await createAccount(admin, { name: "D", email: "d@example.org" });
      const { key } = await createKey(admin, { account: "d@example.org" });
      expect((await access.verify(key))?.plan.name).toBe("free");
      await setPlan(admin, "d@example.org", "enterprise");
      await editPlan(admin, "enterprise", { requests_per_minute: 7, datasets: ["free", 574] });
      access.forget();
      expect((await access.verify(key))?.plan).toMatchObject({
        name: "enterprise",
        requestsPerMinute: 7,
        datasets: ["free", 574],
      });
      const unlisted = editPlan(admin, "pro", { datasets: "free" as never });
      await expect(unlisted).rejects.toThrow('datasets: expected "all" or a list');
      await expect(editPlan(admin, "pro", { datasets: ["gold"] })).rejects.toMatchObject({ problem: "not_found" });
      await expect(editPlan(admin, "pro", { burst: 0 })).rejects.toMatchObject({ problem: "invalid" });
    });

    test.skipIf(takesTurns)(`keeps both changes if two callers edit a plan concurrently${turns}`, async () => {
      let isDone = false;
      let second: Promise<void> | undefined;
      const isWaiting = async (): Promise<boolean> =>
        (await sql`select 1 from pg_locks where not granted`.execute(records.db)).rows.length > 0;
      const db = records.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (second !== undefined) return result;
          second = editPlan({ ...admin, db: elsewhere.db }, "free", { max_page: 77 }).then(() => void (isDone = true));
          await expect.poll(async () => isDone || (await isWaiting())).toBe(true);
          return result;
        },
      });
      await editPlan({ ...admin, db }, "free", { burst: 33 });
      await second;
      const plan = await records.db.selectFrom("plans").selectAll().where("name", "=", "free").executeTakeFirst();
      expect(plan).toMatchObject({ burst: 33, max_page: 77 });
    });

    test("records every change in the audit log under its actor", async () => {
      const before = await records.db.selectFrom("audit").selectAll().execute();
      const { summary } = await createKey({ ...admin, actor: "someone" }, { account: "a@example.org" });
      const after = await records.db.selectFrom("audit").selectAll().where("subject", "=", summary.id).execute();
      expect(before.length).toBeGreaterThan(10);
      expect(after).toMatchObject([{ actor: "someone", action: "key.create" }]);
    });
  });

  describe("usage", () => {
    const line = { agentId: 556, status: 200, rows: 3, bytes: 100, ms: 1.6 };
    afterEach(() => void vi.useRealTimers());

    test("of two nodes adds up exactly, and keys record when they were last used", async () => {
      const { summary } = await make();
      const now = Date.parse("2026-11-20T23:59:59.500Z");
      const [here, there] = [records, elsewhere].map((each) => openAccess({ records: each, clock: () => now, log }));
      for (let turn = 0; turn < 500; turn += 1) {
        here?.count({ ...line, keyId: summary.id });
        there?.count({ ...line, keyId: summary.id, status: turn % 2 === 0 ? 200 : 429 });
      }
      await Promise.all([here?.close(), there?.close()]);
      const rows = await records.db
        .selectFrom("usage")
        .selectAll()
        .where("key_id", "=", summary.id)
        .orderBy("status")
        .execute();
      const common = { day: "2026-11-20", key_id: summary.id, agent_id: 556, ms_buckets: [bucketOf(1.6)] };
      expect(rows).toEqual([
        { ...common, status: 200, requests: 750, rows: 2250, bytes: 75_000, ms: 1500, ms_counts: [750] },
        { ...common, status: 429, requests: 250, rows: 750, bytes: 25_000, ms: 500, ms_counts: [250] },
      ]);
      const key = (await listKeys(admin)).keys.find((each) => each.id === summary.id);
      expect(key?.last_used_at).toEqual(new Date(now));
    });

    test("is written automatically within about a second", async () => {
      const { summary } = await make();
      const timed = openTimed({ records, log });
      timed.count({ ...line, keyId: summary.id });
      vi.advanceTimersByTime(1000);
      await expect.poll(() => requestsOf(records, summary.id)).toEqual([{ requests: 1 }]);
      await timed.close();
    });

    test("that cannot be written causes no failure, is logged, and is written later", async () => {
      const keyId = `key_${randomBytes(4).toString("hex")}`;
      await sql`alter table usage rename to away`.execute(records.db);
      const broken = openTimed({ records, log });
      for (let turn = 0; turn < 5; turn += 1) broken.count({ ...line, keyId });
      warnings.length = 0;
      vi.advanceTimersByTime(1000);
      await expect.poll(() => warnings.length).toBeGreaterThan(0);
      broken.count({ ...line, keyId });
      await sql`alter table away rename to usage`.execute(records.db);
      await broken.close();
      expect(await requestsOf(records, keyId)).toEqual([{ requests: 6 }]);
    });
  });
}
