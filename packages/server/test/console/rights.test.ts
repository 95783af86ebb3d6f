import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../../src/access/keys.ts";
import { createUser } from "../../src/access/users.ts";
import { reachOf } from "../../src/access/rights.ts";
import { CONSOLE_ROUTES, type ConsoleRoute, type ConsoleRouteName } from "../../src/http/console/console-routes.ts";
import type { UserRole } from "../../src/records/schema.ts";
import type { Browser, Reply } from "./browser.ts";
import { openConsoleHost, PASSWORD, type ConsoleHost } from "./console-host.ts";

// Covers every route of the table, also new ones: each role on objects of its own, its account and another account.

type JsonName = {
  [K in ConsoleRouteName]: (typeof CONSOLE_ROUTES)[K]["reads"] extends "nothing" ? never : K;
}[ConsoleRouteName];

let made = 0;
const fresh = (what: string): string => `${what}-${(made += 1)}`;

/** Bodies for all routes that take one. A new route without one does not compile. */
const BODIES: Readonly<Record<JsonName, () => object>> = {
  "session.start": () => ({ email: "nobody@example.org", password: PASSWORD }),
  password: () => ({ current_password: PASSWORD, new_password: fresh("another long password") }),
  ask: () => ({ agent_id: 574, params: {} }),
  "keys.make": () => ({ name: "k" }),
  "keys.rotate": () => ({}),
  "keys.rename": () => ({ name: "renamed" }),
  "keys.set_mode": () => ({ mode: "compatible" }),
  "keys.set_limit": () => ({ requests_per_minute: 10, burst: 5 }),
  "users.make": () => ({ email: `${fresh("new")}@example.org`, name: "N", role: "member" }),
  "users.set_role": () => ({ role: "owner" }),
  "accounts.make": () => ({ name: "N", email: `${fresh("acc")}@example.org`, plan: "free" }),
  "accounts.set_plan": () => ({ plan: "pro" }),
  "plans.edit": () => ({ burst: 200 }),
};

const ROLES: readonly UserRole[] = ["member", "owner", "operator"];
const names = Object.keys(CONSOLE_ROUTES) as ConsoleRouteName[];
const routeOf = (name: ConsoleRouteName): ConsoleRoute => CONSOLE_ROUTES[name];
const guarded = names.filter((name) => routeOf(name).right !== null);
const lists = guarded.filter((name) => routeOf(name).method === "GET" && !routeOf(name).path.includes("/:"));
const changes = names.filter((name) => routeOf(name).method !== "GET");

type Whose = "mine" | "ours" | "theirs";
type Person = { readonly id: string; readonly email: string; readonly browser: Browser };

let host: ConsoleHost;
let ours: string;
let theirs: string;
let someHash: string;
const people = new Map<UserRole, Person>();

beforeAll(async () => {
  host = await openConsoleHost();
  ours = await host.makeAccount("ours");
  theirs = await host.makeAccount("theirs");
  someHash = await host.console.passwords.hash(PASSWORD);
  for (const role of ROLES) people.set(role, await newPerson(role));
});
afterAll(() => host.close());

async function newPerson(role: UserRole): Promise<Person> {
  const user = await host.makeUser(ours, role);
  return { ...user, browser: await host.signedIn(user.email) };
}

function personOf(role: UserRole): Person {
  const person = people.get(role);
  if (!person) throw new Error(`nobody is ${role}`);
  return person;
}

/** Creates an object of the kind that the route changes, and returns its id. */
async function thingFor(name: ConsoleRouteName, person: Person, whose: Whose): Promise<string> {
  const account = whose === "theirs" ? theirs : ours;
  if (name.startsWith("keys.")) {
    const admin = whose === "mine" ? { ...host.admin, userId: person.id } : host.admin;
    return (await createKey(admin, { account })).summary.id;
  }
  if (name.startsWith("users.")) {
    const requested = { account, email: `${fresh("target")}@example.org`, name: "T", password: PASSWORD };
    return (await createUser(host.admin, requested, async () => someHash)).user.id;
  }
  if (name.startsWith("accounts.")) return await host.makeAccount(fresh("target"));
  if (name.startsWith("plans.")) return "pro";
  throw new Error(`the test knows nothing to put into the path of ${name}`);
}

async function send(
  name: ConsoleRouteName,
  browser: Browser,
  id = "",
  headers?: Record<string, string>,
): Promise<Reply> {
  const { method, path, reads } = routeOf(name);
  const body = reads === "nothing" ? undefined : BODIES[name as JsonName]();
  return await browser.send(method, path.replace(/:\w+/, id), body, headers);
}

describe.each(guarded)("%s", (name) => {
  const { right, path } = routeOf(name);
  const hasThing = path.includes("/:");
  const whoses: readonly Whose[] = !hasThing
    ? ["ours"]
    : name.startsWith("keys.")
      ? ["mine", "ours", "theirs"]
      : name.startsWith("users.")
        ? ["ours", "theirs"]
        : ["theirs"];

  test.each(ROLES.flatMap((role) => whoses.map((whose) => [role, whose] as const)))(
    "as %s on %s: is allowed or refused by the role's scope",
    async (role, whose) => {
      if (right === null) throw new Error("a guarded route has a right");
      // These end or change the session.
      const person = right === "session.own" ? await newPerson(role) : personOf(role);
      const id = hasThing ? await thingFor(name, person, whose) : "";
      const reply = await send(name, person.browser, id);
      const reach = reachOf(role, right);
      const { code } = (reply.json["error"] ?? {}) as { code?: string };
      if (reach === undefined) expect([reply.status, code]).toEqual([403, "FORBIDDEN"]);
      else if (whose === "theirs" && reach !== "all") expect([reply.status, code]).toEqual([404, "NOT_FOUND"]);
      else if (hasThing && whose === "ours" && reach === "own")
        expect([reply.status, code]).toEqual([403, "FORBIDDEN"]);
      else expect([200, 201, 204], reply.text.slice(0, 300)).toContain(reply.status);
    },
  );

  test("returns 401 without a session or with a made-up one", async () => {
    const replies = [
      await send(name, host.browser(), "key_00000000000000000000000000"),
      await send(name, host.browser(), "x", { cookie: `almanac_session=${"A".repeat(43)}`, "x-csrf-token": "x" }),
    ];
    for (const { status, json, headers } of replies) {
      expect([status, json]).toMatchObject([401, { error: { code: "UNAUTHENTICATED" } }]);
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });
});

test.each(lists)("%s reveals nothing of another account to roles that may not reach all accounts", async (name) => {
  await createKey(host.admin, { account: theirs, name: "canary" });
  const { right, path } = routeOf(name);
  for (const role of ROLES) {
    if (right === null || reachOf(role, right) === "all") continue;
    for (const query of ["", `?account=${theirs}`]) {
      expect((await personOf(role).browser.send("GET", path + query)).text).not.toMatch(/canary|owner-of-theirs/);
    }
  }
});

describe.each(changes)("%s refuses cross-site requests", (name) => {
  const crossings: readonly Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1:1" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  test("whatever header shows the other origin", async () => {
    for (const headers of crossings) {
      const reply = await send(name, personOf("operator").browser, "x", headers);
      expect([reply.status, reply.json], JSON.stringify(headers)).toMatchObject([
        403,
        { error: { code: "FORBIDDEN" } },
      ]);
      expect(reply.headers.get("set-cookie")).toBeNull();
    }
  });
});

describe.each(changes.filter((name) => guarded.includes(name)))("%s", (name) => {
  test("requires the session's own CSRF token", async () => {
    const other = personOf("owner").browser.csrf() ?? "";
    for (const token of ["", "x", other]) {
      const reply = await send(name, personOf("operator").browser, "x", { "x-csrf-token": token });
      expect([reply.status, reply.json]).toMatchObject([
        403,
        { error: { code: "FORBIDDEN", details: [{ path: "x-csrf-token" }] } },
      ]);
    }
  });
});

test("a user with a first password can do nothing but change it and sign out", async () => {
  const requested = { account: ours, email: "first@example.org", name: "F", role: "operator" as const };
  const { password } = await createUser(host.admin, requested);
  const browser = await host.signedIn("first@example.org", password);
  for (const name of guarded) {
    if (routeOf(name).right === "session.own") continue;
    expect((await send(name, browser, "x")).json).toMatchObject({ error: { code: "PASSWORD_CHANGE_REQUIRED" } });
  }
  const changed = await browser.send("POST", "/password", { current_password: password, new_password: PASSWORD });
  expect(changed.status).toBe(204);
  expect((await browser.send("GET", "/keys")).status).toBe(200);
  expect((await browser.send("GET", "/session")).json).toMatchObject({ user: { must_change_password: false } });
});
