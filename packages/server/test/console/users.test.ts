import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../../src/access/accounts.ts";
import { createUser, disableUser, type UserSummary } from "../../src/access/users.ts";
import type { Browser } from "./browser.ts";
import { openConsoleHost, PASSWORD, type ConsoleHost } from "./console-host.ts";

type Made = { readonly user: UserSummary; readonly password: string };
type Person = { readonly id: string; readonly email: string; readonly browser: Browser };

let host: ConsoleHost;
let account: string;
let owner: Person;
let operator: Person;
beforeAll(async () => {
  host = await openConsoleHost();
  account = await host.makeAccount("a");
  owner = await newPerson("owner");
  operator = await newPerson("operator");
});
afterAll(() => host.close());

async function newPerson(role: "owner" | "operator" | "member"): Promise<Person> {
  const user = await host.makeUser(account, role);
  return { ...user, browser: await host.signedIn(user.email) };
}
const statusOf = async (browser: Browser): Promise<number> => (await browser.send("GET", "/session")).status;

describe("an owner", () => {
  test("creates a user with a first password that is shown once", async () => {
    const requested = { email: "New.User@Example.org ", name: "New", role: "member" };
    const reply = await owner.browser.send("POST", "/users", requested);
    expect(reply.status).toBe(201);
    const { user, password } = reply.json as unknown as Made;
    expect(user).toMatchObject({ email: "new.user@example.org", account_id: account, must_change_password: true });
    expect(password).toMatch(/^([a-z2-9]{4}-){4}[a-z2-9]{4}$/);
    const { text } = await owner.browser.send("GET", "/users");
    expect(text).toContain("new.user@example.org");
    expect(text).not.toMatch(/argon2|password_hash/);
    expect((await owner.browser.send("POST", "/users", requested)).status).toBe(409);
    await host.signedIn(user.email, password);
  });

  test("cannot create an operator or change one", async () => {
    const { browser } = owner;
    const made = await browser.send("POST", "/users", { email: "o@example.org", name: "O", role: "operator" });
    expect(made.status).toBe(403);
    const member = await newPerson("member");
    expect((await browser.send("POST", `/users/${member.id}/role`, { role: "operator" })).status).toBe(403);
    for (const [path, body] of [["disable"], ["enable"], ["password"], ["role", { role: "member" }]] as const) {
      expect((await browser.send("POST", `/users/${operator.id}/${path}`, body)).status).toBe(403);
    }
    expect(await statusOf(operator.browser)).toBe(200);
  });

  test("cannot lock themselves out", async () => {
    for (const [path, body] of [["disable"], ["password"], ["role", { role: "member" }]] as const) {
      expect((await owner.browser.send("POST", `/users/${owner.id}/${path}`, body)).status).toBe(409);
    }
    expect(await statusOf(owner.browser)).toBe(200);
  });
});

describe("an e-mail address that a user of another account has", () => {
  const requested = { email: "both@example.org", name: "Both", role: "member" };
  let elsewhere: string;
  let made: Made;
  beforeAll(async () => {
    elsewhere = await host.makeAccount("elsewhere");
    await createUser(host.admin, { ...requested, role: "member", account: elsewhere, password: PASSWORD });
    const free = await owner.browser.send("POST", "/users", { ...requested, email: "nowhere@example.org" });
    const reply = await owner.browser.send("POST", "/users", requested);
    expect([reply.status, Object.keys(reply.json)]).toEqual([free.status, Object.keys(free.json)]);
    made = reply.json as unknown as Made;
  });

  test("counts as taken only within the same account", async () => {
    expect(made.user).toMatchObject({ email: requested.email, account_id: account });
    const again = await owner.browser.send("POST", "/users", requested);
    expect([again.status, again.json]).toMatchObject([409, { error: { code: "CONFLICT" } }]);
  });

  test("signs in to the account whose user's password is given, at the cost of a single hash", async () => {
    const accountOf = async (password: string): Promise<unknown> => {
      const browser = await host.signedIn(requested.email, password);
      return (await browser.send("GET", "/session")).json;
    };
    expect(await accountOf(PASSWORD)).toMatchObject({ user: { account: { id: elsewhere } } });
    expect(await accountOf(made.password)).toMatchObject({ user: { account: { id: account } } });
    const before = host.verified();
    await expect(host.signedIn(requested.email, "the password of neither")).rejects.toThrow("401");
    // Hashes of one address share a salt: one computation checks all, without a verification of each.
    expect(host.verified()).toBe(before);
    const { password } = (await owner.browser.send("POST", `/users/${made.user.id}/password`)).json as unknown as Made;
    expect(await accountOf(password)).toMatchObject({ user: { id: made.user.id } });
    expect(host.verified()).toBe(before);
  });

  test("has a wrong password recorded in the audit log of both accounts", async () => {
    await expect(host.signedIn(requested.email, "the password of neither")).rejects.toThrow("401");
    const reported = await host.records.db
      .selectFrom("audit")
      .select(["account_id", "detail"])
      .where("action", "=", "session.refuse")
      .orderBy("id", "desc")
      .limit(2)
      .execute();
    expect(reported.map(({ account_id }) => account_id).sort()).toEqual([account, elsewhere].sort());
    // Where a user of one account signs in from must not be revealed to the other account.
    expect(reported.map(({ detail }) => detail)).toEqual([{}, {}]);
  });

  test("is refused as ambiguous on the command line", async () => {
    await expect(disableUser(host.admin, requested.email, true)).rejects.toMatchObject({ problem: "conflict" });
  });
});

describe("sessions", () => {
  test.each([
    ["disable", undefined],
    ["password", undefined],
    ["role", { role: "owner" }],
  ])("end immediately at %s", async (path, body) => {
    const person = await newPerson("member");
    expect((await owner.browser.send("POST", `/users/${person.id}/${path}`, body)).status).toBe(200);
    expect(await statusOf(person.browser)).toBe(401);
    const sessions = await host.records.db.selectFrom("sessions").select("user_id").execute();
    expect(sessions.map(({ user_id }) => user_id)).not.toContain(person.id);
  });

  test("end when the user is disabled, who can sign in again once enabled", async () => {
    const person = await newPerson("member");
    await owner.browser.send("POST", `/users/${person.id}/disable`);
    await expect(host.signedIn(person.email)).rejects.toThrow("401");
    const { json } = await owner.browser.send("POST", `/users/${person.id}/enable`);
    expect(json).toMatchObject({ user: { id: person.id, disabled_at: null } });
    expect(await statusOf(await host.signedIn(person.email))).toBe(200);
    expect(await statusOf(person.browser)).toBe(401);
  });

  test("end elsewhere when a user chooses a new password", async () => {
    const person = await newPerson("member");
    const elsewhere = await host.signedIn(person.email);
    const wanted = { current_password: PASSWORD, new_password: "quite another password" };
    expect((await person.browser.send("POST", "/password", wanted)).status).toBe(204);
    expect([await statusOf(person.browser), await statusOf(elsewhere)]).toEqual([200, 401]);
    await expect(host.signedIn(person.email)).rejects.toThrow("401");
    await host.signedIn(person.email, "quite another password");
  });

  test("end for all users of a disabled account, whose keys are refused too", async () => {
    const reply = await operator.browser.send("POST", "/operator/accounts", {
      name: "Shut",
      email: "shut@example.org",
      plan: "free",
    });
    expect(reply.status).toBe(201);
    const { account: made, user, password } = reply.json as unknown as Made & { account: { id: string } };
    expect(user).toMatchObject({ role: "owner", account_id: made.id, email: "shut@example.org" });
    const browser = await host.signedIn("shut@example.org", password);
    await browser.send("POST", "/password", { current_password: password, new_password: PASSWORD });
    const { key } = (await browser.send("POST", "/keys", { name: "k" })).json as { key: string };
    expect(await host.access.verify(key)).toMatchObject({ plan: { name: "free" } });
    expect((await operator.browser.send("POST", `/operator/accounts/${made.id}/disable`)).status).toBe(200);
    expect(await host.access.verify(key)).toBeUndefined();
    expect(await statusOf(browser)).toBe(401);
    await expect(host.signedIn("shut@example.org")).rejects.toThrow("401");
    await operator.browser.send("POST", `/operator/accounts/${made.id}/enable`);
    expect(await host.access.verify(key)).toBeDefined();
    expect(await statusOf(browser)).toBe(401);
    expect((await operator.browser.send("POST", `/operator/accounts/${account}/disable`)).status).toBe(409);
  });
});

describe("a new password", () => {
  test.each([
    ["short", "new_password"],
    ["aaaaaaaaaaaaaaaa", "new_password"],
    ["abcdefgh".repeat(26), "new_password"],
    [PASSWORD, "new_password"],
    // Signs in with the current one: equivalent characters count as one.
    [PASSWORD.replace("correct", "ｃｏｒｒｅｃｔ"), "new_password"],
  ])("%s is refused with its field", async (wanted, path) => {
    const body = { current_password: PASSWORD, new_password: wanted };
    const { status, json } = await owner.browser.send("POST", "/password", body);
    expect([status, json]).toMatchObject([400, { error: { code: "INVALID_REQUEST", details: [{ path }] } }]);
  });

  test("requires the current one", async () => {
    const body = { current_password: "not the right one", new_password: "quite another password" };
    const { status, json } = await owner.browser.send("POST", "/password", body);
    expect([status, json]).toMatchObject([400, { error: { details: [{ path: "current_password" }] } }]);
    expect(await statusOf(await host.signedIn(owner.email))).toBe(200);
  });
});

describe("a plan", () => {
  test("changes for its accounts with the next request", async () => {
    const { key } = (await owner.browser.send("POST", "/keys", { name: "k" })).json as { key: string };
    expect((await host.access.verify(key))?.plan).toMatchObject({ name: "pro", burst: 120 });
    const requested = {
      datasets: ["free", 574],
      requests_per_minute: 30,
      burst: 7,
      max_page: 50,
      max_list: 20,
      at_once: 5,
      key_at_once: 2,
      keys: 7,
      users: 30,
    };
    const reply = await operator.browser.send("PUT", "/operator/plans/pro", requested);
    expect([reply.status, reply.json]).toMatchObject([200, { plan: { name: "pro", ...requested } }]);
    const plan = (await host.access.verify(key))?.plan;
    expect(plan).toMatchObject({
      requestsPerMinute: 30,
      burst: 7,
      maxPage: 50,
      maxList: 20,
      atOnce: 5,
      keyAtOnce: 2,
      datasets: ["free", 574],
    });
    const asking = await owner.browser.send("POST", "/ask", { agent_id: 574 });
    expect(asking.headers.get("x-ratelimit-limit")).toBe("30");
    const { entries } = (await operator.browser.send("GET", "/audit?limit=1")).json as { entries: unknown[] };
    expect(entries).toMatchObject([
      { action: "plan.edit", subject: "pro", actor: operator.email, user_id: operator.id, account_id: null },
    ]);
    expect((await operator.browser.send("POST", `/operator/accounts/${account}/plan`, { plan: "free" })).status).toBe(
      200,
    );
    expect((await host.access.verify(key))?.plan.name).toBe("free");
  });

  test.each([
    ["pro", { burst: 0 }, 400],
    ["pro", { max_page: 10_001 }, 400],
    ["pro", { max_list: 201 }, 400],
    ["pro", { at_once: 129 }, 400],
    ["pro", { key_at_once: 0 }, 400],
    ["pro", { keys: 1001 }, 400],
    ["pro", { users: 0 }, 400],
    ["pro", { datasets: [1] }, 400],
    ["pro", { datasets: ["gold"] }, 404],
    ["pro", { rank: 1 }, 400],
    ["gold", { burst: 1 }, 404],
  ])("%s rejects %j", async (name, body, status) => {
    expect((await operator.browser.send("PUT", `/operator/plans/${name}`, body)).status).toBe(status);
  });
});

describe("the audit log", () => {
  test("shows an owner only entries of the account, page by page", async () => {
    const other = await host.makeAccount("other");
    const all: { id: number; account_id: string }[] = [];
    for (let before = ""; ;) {
      const { json } = await owner.browser.send("GET", `/audit?limit=5${before}`);
      const { entries, has_more } = json as { entries: typeof all; has_more: boolean };
      all.push(...entries);
      if (!has_more) break;
      before = `&before=${entries.at(-1)?.id}`;
    }
    expect(new Set(all.map(({ account_id }) => account_id))).toEqual(new Set([account]));
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => b - a));
    expect(all.length).toBeGreaterThan(20);
    expect((await owner.browser.send("GET", `/audit?account=${other}`)).status).toBe(404);
    const wide = await operator.browser.send("GET", `/audit?account=${other}`);
    expect(wide.json).toMatchObject({ entries: [{ action: "user.create" }, { action: "account.create" }] });
  });

  test("can be requested by an account's id or address, and is not found for an unknown one", async () => {
    const other = await host.makeAccount("named");
    const { email } = await host.records.db
      .selectFrom("accounts")
      .select("email")
      .where("id", "=", other)
      .executeTakeFirstOrThrow();
    const byId = await operator.browser.send("GET", `/audit?account=${other}`);
    const byAddress = await operator.browser.send("GET", `/audit?account=${email.toUpperCase()}`);
    expect(byAddress.json).toEqual(byId.json);
    expect(byAddress.json["entries"]).toHaveLength(2);
    for (const unknown of ["acc_0", "nobody@example.org"]) {
      expect((await operator.browser.send("GET", `/audit?account=${unknown}`)).status).toBe(404);
    }
  });

  test.each(["limit=0", "limit=201", "limit=x", "before=-1", "page=1"])("rejects %s", async (query) => {
    expect((await owner.browser.send("GET", `/audit?${query}`)).status).toBe(400);
  });
});

const hash = (): Promise<string> => Promise.reject(new Error("hashed"));
test("refusing to create a user or account computes no password hash", async () => {
  const { email } = await host.makeUser(account, "member");
  const requested = { account, email, name: "again" };
  await expect(createUser(host.admin, requested, hash)).rejects.toMatchObject({ problem: "conflict" });
  await expect(createAccount(host.admin, { email, name: "again" }, hash)).rejects.toMatchObject({
    problem: "conflict",
  });
  await expect(createUser(host.admin, { ...requested, email: "free@example.org" }, hash)).rejects.toThrow("hashed");
});
