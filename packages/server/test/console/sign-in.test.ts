import { randomBytes } from "node:crypto";
import { parseOptions } from "@node-rs/argon2";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../../src/access/keys.ts";
import { openPasswords } from "../../src/access/passwords.ts";
import type { Reply } from "./browser.ts";
import { openConsoleHost, PASSWORD, type ConsoleHost } from "./console-host.ts";
import { countUnderWay } from "../fixtures/count-under-way.ts";

const HOUR = 3_600_000;

let host: ConsoleHost;
let account: string;
let email: string;
beforeAll(async () => {
  host = await openConsoleHost({ server: { trustedProxies: ["127.0.0.0/8"] } });
  account = await host.makeAccount("a");
  ({ email } = await host.makeUser(account, "member"));
});
afterAll(() => host.close());

const tryWith = async (who: string, password: string, headers = {}): Promise<Reply> =>
  await host.browser().send("POST", "/session", { email: who, password }, headers);
const countOf = async (table: "audit" | "sessions"): Promise<number> =>
  (await host.records.db.selectFrom(table).selectAll().execute()).length;

describe("a refused sign-in reveals nothing", () => {
  const cases: readonly [string, () => Promise<readonly [string, string]>][] = [
    ["an unknown address", async () => ["nobody@example.org", PASSWORD]],
    ["a wrong password", async () => [email, "not the right one"]],
    [
      "a disabled user",
      async () => {
        const { id, email: shut } = await host.makeUser(account, "member");
        await host.records.db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", id).execute();
        return [shut, PASSWORD];
      },
    ],
    [
      "a disabled account",
      async () => {
        const id = await host.makeAccount("shut");
        const { email: shut } = await host.makeUser(id, "owner");
        await host.records.db.updateTable("accounts").set({ disabled_at: new Date() }).where("id", "=", id).execute();
        return [shut, PASSWORD];
      },
    ],
  ];

  test("has the same answer and the same work whatever is wrong", async () => {
    const answers = new Set<string>();
    for (const [what, make] of cases) {
      const [who, password] = await make();
      const before = { verified: host.verified(), audit: await countOf("audit"), sessions: await countOf("sessions") };
      const reply = await tryWith(who, password);
      expect(reply.status, what).toBe(401);
      expect(reply.headers.get("set-cookie")).toBeNull();
      expect(host.verified() - before.verified, what).toBe(1);
      expect((await countOf("audit")) - before.audit, what).toBe(1);
      expect(await countOf("sessions")).toBe(before.sessions);
      answers.add(reply.text.replace(/req_\w+/, ""));
      answers.add([...reply.headers.keys()].join());
    }
    expect(answers.size).toBe(2);
  });

  test("verifies an unknown user with the same parameters as a known one, OWASP's for argon2id", async () => {
    const stored = await host.records.db.selectFrom("users").select("password_hash").execute();
    const hashes = stored.map(({ password_hash }) => password_hash);
    const verified: string[] = [];
    const passwords = openPasswords(
      { atOnce: 1, waiting: 1 },
      {
        hash: (await import("@node-rs/argon2")).hash,
        verify: async (hashed) => {
          verified.push(String(hashed));
          return true;
        },
      },
    );
    // An unknown user is refused even if the made-up hash matches.
    expect(await passwords.verify([], "x")).toEqual([]);
    for (const phc of [...hashes, ...verified]) {
      expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(parseOptions(phc)).toMatchObject({ outputLen: 32, saltLen: 16 });
    }
  });

  test("computes the hash for unknown users again if that failed", async () => {
    let tries = 0;
    const passwords = openPasswords(
      { atOnce: 1, waiting: 1 },
      {
        hash: async () => {
          tries += 1;
          if (tries === 1) throw new Error("no memory");
          return "made up";
        },
        verify: async () => false,
      },
    );
    await expect(passwords.verify([], "x")).rejects.toThrow("no memory");
    expect(await passwords.verify([], "x")).toEqual([]);
  });

  test("never writes down what was entered as an address", async () => {
    await tryWith("my-secret-phrase@example.org", "x");
    const audit = JSON.stringify(await host.records.db.selectFrom("audit").selectAll().execute());
    expect(audit).not.toContain("my-secret-phrase");
    expect(host.lines.join("")).not.toContain("my-secret-phrase");
  });
});

describe("the session", () => {
  test("is new at each sign-in: ignores a planted cookie and ends the previous session", async () => {
    const planted = "B".repeat(43);
    const headers = { cookie: `almanac_session=${planted}` };
    const browser = host.browser();
    const first = await browser.send("POST", "/session", { email, password: PASSWORD }, headers);
    expect(first.status).toBe(200);
    const before = browser.cookie();
    expect(before).not.toBe(planted);
    await browser.send("POST", "/session", { email, password: PASSWORD });
    const after = browser.cookie();
    expect(after).not.toBe(before);
    const status = async (token = ""): Promise<number> =>
      (await host.browser().send("GET", "/session", undefined, { cookie: `almanac_session=${token}` })).status;
    expect([await status(planted), await status(before), await status(after)]).toEqual([401, 401, 200]);
  });

  test("is stored as a digest that is not accepted as a cookie", async () => {
    const browser = await host.signedIn(email);
    const rows = await host.records.db.selectFrom("sessions").selectAll().execute();
    expect(rows.map(({ digest }) => digest.length)).toEqual(rows.map(() => 32));
    expect(JSON.stringify(rows)).not.toContain(browser.cookie());
    const found = rows.map(({ digest }) => Buffer.from(digest).toString("base64url"));
    for (const cookie of found) {
      const reply = await host.browser().send("GET", "/session", undefined, { cookie: `almanac_session=${cookie}` });
      expect(reply.status).toBe(401);
    }
  });

  test("ends once its user has twenty newer ones", async () => {
    const { email: busy } = await host.makeUser(account, "member");
    const browsers = [];
    for (let i = 0; i < 21; i += 1) {
      browsers.push(await host.signedIn(busy));
      host.pass(1);
    }
    const statuses = await Promise.all(browsers.map(async (one) => (await one.send("GET", "/session")).status));
    expect(statuses).toEqual([401, ...Array.from({ length: 20 }, () => 200)]);
  });

  test("has a Secure cookie if the public address is https", async () => {
    const https = await openConsoleHost({
      records: host.records,
      server: { publicUrl: "https://console.example" },
    });
    const id = await https.makeAccount("a");
    const { email: one } = await https.makeUser(id, "member");
    const reply = await https.browser().send("POST", "/session", { email: one, password: PASSWORD });
    expect(reply.headers.get("set-cookie")).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    await https.close();
  });

  test("ends when idle, and after its maximum age however much it is used", async () => {
    const short = await openConsoleHost({ records: host.records, bounds: { idleMs: HOUR, maxMs: 2 * HOUR } });
    const idle = await short.signedIn(email);
    const busy = await short.signedIn(email);
    const statuses: number[] = [];
    const look = async (browser: typeof idle): Promise<void> => {
      short.pass(HOUR / 2);
      statuses.push((await browser.send("GET", "/session")).status);
    };
    for (let i = 0; i < 4; i += 1) await look(busy);
    expect(statuses).toEqual([200, 200, 200, 401]);
    expect((await idle.send("GET", "/session")).status).toBe(401);
    const unused = await short.signedIn(email);
    short.pass(HOUR - 1000);
    await look(await short.signedIn(email));
    expect((await unused.send("GET", "/session")).status).toBe(401);
    expect(statuses.at(-1)).toBe(200);
    await short.close();
  });

  test("continues if its use cannot be recorded", async () => {
    const full = await openConsoleHost({ records: host.records });
    const browser = await full.signedIn(email);
    const newest = sql.lit(new Date(full.now() + 1000).toISOString());
    const add = sql`alter table sessions add constraint full_disk check (last_seen_at < cast(${newest} as timestamptz)) not valid`;
    await add.execute(host.records.db);
    full.pass(HOUR / 2);
    expect((await browser.send("GET", "/session")).status).toBe(200);
    await sql`alter table sessions drop constraint full_disk`.execute(host.records.db);
    await full.close();
  });
});

test("only a few unknown cookies are looked up at once", async () => {
  const { db, most } = countUnderWay(host.records.db);
  const counted = await openConsoleHost({ records: { ...host.records, db } });
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const cookie = `almanac_session=${randomBytes(32).toString("base64url")}`;
      return (await counted.browser().send("GET", "/session", undefined, { cookie })).status;
    }),
  );
  expect(statuses.every((status) => status === 401 || status === 503)).toBe(true);
  expect(most()).toBeLessThanOrEqual(3);
  await counted.close();
});

test("signing in and out does not evict a cached key, which stays valid while it cannot be looked up", async () => {
  const { key } = await createKey(host.admin, { account });
  expect(await host.access.verify(key)).toBeDefined();
  await sql`alter table api_keys rename to away`.execute(host.records.db);
  const browser = await host.signedIn(email);
  expect((await browser.send("DELETE", "/session")).status).toBe(204);
  host.pass(1000);
  expect(await host.access.verify(key)).toBeDefined();
  await sql`alter table away rename to api_keys`.execute(host.records.db);
});

test("signing in on a full disk returns 503 with a Retry-After header", async () => {
  const { db } = host.records;
  const refuse = sql.lit("begin raise exception 'the disk is full' using errcode = '53100'; end");
  await sql`create function full_disk() returns trigger language plpgsql as ${refuse}`.execute(db);
  await sql`create trigger full_disk before insert on sessions for each row execute function full_disk()`.execute(db);
  const reply = await tryWith(email, PASSWORD);
  await sql`drop trigger full_disk on sessions`.execute(db);
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(reply.json).toMatchObject({ error: { code: "UNAVAILABLE" } });
  expect((await tryWith(email, PASSWORD)).status).toBe(200);
});

describe("bodies and media types", () => {
  test.each([
    ["text", { "content-type": "text/plain" }, '{"email":"a@b.org","password":"x"}', 415],
    ["a form, which other pages may send", { "content-type": "application/x-www-form-urlencoded" }, "email=a", 415],
    ["nothing", { "content-type": "application/json" }, "", 400],
    ["an array", { "content-type": "application/json" }, "[]", 400],
    [
      "a name twice",
      { "content-type": "application/json" },
      '{"email":"a@b.org","email":"b@b.org","password":"x"}',
      400,
    ],
    ["17 kB", { "content-type": "application/json" }, `{"email":"${"a".repeat(17_000)}"}`, 413],
    [
      "a field too many",
      { "content-type": "application/json" },
      '{"email":"a@b.org","password":"x","role":"operator"}',
      400,
    ],
    [
      "a password of 1001 characters",
      { "content-type": "application/json" },
      `{"email":"a@b.org","password":"${"x".repeat(1001)}"}`,
      400,
    ],
    ["no password", { "content-type": "application/json" }, '{"email":"a@b.org"}', 400],
    ["a number for a password", { "content-type": "application/json" }, '{"email":"a@b.org","password":1}', 400],
  ])("%s is refused before any work", async (_what, headers, body, status) => {
    const before = host.verified();
    const response = await fetch(`${host.url}/api/console/session`, { method: "POST", headers, body });
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining('"error"')]);
    expect(host.verified()).toBe(before);
  });
});
