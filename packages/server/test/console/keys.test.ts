import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ask } from "../../src/query/answer.ts";
import { addManyAccounts, addManyKeys, addManyUsers } from "../fixtures/many-rows.ts";
import { answerOf } from "../http/api.ts";
import type { Browser } from "./browser.ts";
import { openConsoleHost, type ConsoleHost } from "./console-host.ts";

type Key = {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly mode: string;
  readonly created_by: string | null;
};
type Made = { readonly key: string; readonly summary: Key; readonly replaced: Key };

/** Mode in which each request was read, in order. */
const requested: (string | undefined)[] = [];
const ask: Ask = async (_body, { mode }) => {
  requested.push(mode);
  return answerOf();
};
let host: ConsoleHost;
let account: string;
let owner: Browser;
let member: Browser;
beforeAll(async () => {
  host = await openConsoleHost({ server: { ask } });
  account = await host.makeAccount("a");
  owner = await host.signedIn((await host.makeUser(account, "owner")).email);
  member = await host.signedIn((await host.makeUser(account, "member")).email);
});
afterAll(() => host.close());

const make = async (browser: Browser, more: object = {}): Promise<Made> => {
  const reply = await browser.send("POST", "/keys", { name: "mine", ...more });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.json as unknown as Made;
};
const list = async (browser: Browser): Promise<readonly Key[]> =>
  (await browser.send("GET", "/keys")).json["keys"] as readonly Key[];
const askWith = async (key: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(host.endpoint, { method: "POST", headers, body: '{"agent_id":574}' });
  await response.arrayBuffer();
  return response.status;
};

describe("a key created in the console", () => {
  test("is shown once, works, and is listed with its creator", async () => {
    const { key, summary } = await make(member, { expires_at: "2099-01-31", datasets: [574] });
    expect(await askWith(key)).toBe(200);
    const session = await member.send("GET", "/session");
    const { id, name } = session.json["user"] as { id: string; name: string };
    expect(await list(owner)).toContainEqual(
      expect.objectContaining({
        id: summary.id,
        account_id: account,
        account_name: "a",
        created_by: id,
        created_by_name: name,
        datasets: [574],
        expires_at: "2099-01-31T00:00:00.000Z",
        state: "active",
        prefix: key.slice(0, 15),
      }),
    );
    expect((await owner.send("GET", "/keys")).text).not.toContain(key.split("_")[2]);
  });

  test("shows when it was last used", async () => {
    const { key, summary } = await make(owner);
    await askWith(key);
    await expect
      .poll(async () => (await list(owner)).find((one) => one.id === summary.id), { interval: 300 })
      .toMatchObject({ last_used_at: expect.stringMatching(/^20/) });
  });

  test("is refused immediately after its revocation, and within a second by another process", async () => {
    const { key, summary } = await make(member);
    const { openAccess } = await import("../../src/access/access.ts");
    const elsewhere = openAccess({ records: host.records, clock: Date.now, log: { warn: () => undefined } });
    expect(await askWith(key)).toBe(200);
    expect(await elsewhere.verify(key)).toBeDefined();
    const reply = await member.send("POST", `/keys/${summary.id}/revoke`);
    const revoked = performance.now();
    expect([reply.status, reply.json]).toMatchObject([200, { summary: { id: summary.id, state: "revoked" } }]);
    expect(await askWith(key)).toBe(401);
    while ((await elsewhere.verify(key)) !== undefined) {
      expect(performance.now() - revoked).toBeLessThan(1000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await elsewhere.close();
  });

  test("can be rotated: both keys work until the overlap ends", async () => {
    const made = await make(member, { name: "rotated" });
    const reply = await owner.send("POST", `/keys/${made.summary.id}/rotate`, { overlap_seconds: 60 });
    expect(reply.status).toBe(201);
    const { key, summary, replaced } = reply.json as unknown as Made;
    expect(replaced).toMatchObject({ id: made.summary.id, replaced_by: summary.id });
    expect(summary).toMatchObject({ name: "rotated", created_by: made.summary.created_by });
    expect([await askWith(made.key), await askWith(key)]).toEqual([200, 200]);
    host.pass(61_000);
    expect([await askWith(made.key), await askWith(key)]).toEqual([401, 200]);
    expect((await owner.send("POST", `/keys/${made.summary.id}/rotate`, {})).status).toBe(409);
  });

  test("can be renamed, which the audit log records", async () => {
    const { summary } = await make(member);
    const reply = await member.send("POST", `/keys/${summary.id}/name`, { name: "  nightly " });
    expect(reply.json).toMatchObject({ summary: { id: summary.id, name: "nightly" } });
    const { entries } = (await owner.send("GET", "/audit?limit=2")).json as { entries: unknown[] };
    expect(entries).toMatchObject([
      { action: "key.rename", subject: summary.id, detail: { before: "mine", name: "nightly" } },
      { action: "key.create", subject: summary.id, account_id: account },
    ]);
  });

  test("is strict by default, and keeps its mode when it is rotated", async () => {
    const { key, summary } = await make(member);
    expect(summary.mode).toBe("strict");
    expect((await host.access.verify(key))?.mode).toBe("strict");
    const made = await make(member, { mode: "compatible" });
    expect(made.summary.mode).toBe("compatible");
    const { json } = await member.send("POST", `/keys/${made.summary.id}/rotate`, {});
    expect((json as unknown as Made).summary.mode).toBe("compatible");
    const listed = await list(owner);
    expect([summary.id, made.summary.id].map((id) => listed.find((one) => one.id === id)?.mode)).toEqual([
      "strict",
      "compatible",
    ]);
  });

  test("has its requests read in its own mode, while explorer requests are always read strictly", async () => {
    requested.length = 0;
    await askWith((await make(member)).key);
    await askWith((await make(member, { mode: "compatible" })).key);
    expect((await member.send("POST", "/ask", { agent_id: 574 })).status).toBe(200);
    expect(requested).toEqual(["strict", "compatible", "strict"]);
  });

  test("changes its mode immediately, and within a second in another process", async () => {
    const { key, summary } = await make(member);
    const { openAccess } = await import("../../src/access/access.ts");
    const elsewhere = openAccess({ records: host.records, clock: Date.now, log: { warn: () => undefined } });
    const modes = async () => [(await host.access.verify(key))?.mode, (await elsewhere.verify(key))?.mode];
    expect(await modes()).toEqual(["strict", "strict"]);
    const reply = await member.send("POST", `/keys/${summary.id}/mode`, { mode: "compatible" });
    const changed = performance.now();
    expect([reply.status, reply.json]).toMatchObject([200, { summary: { id: summary.id, mode: "compatible" } }]);
    expect((await host.access.verify(key))?.mode).toBe("compatible");
    while ((await elsewhere.verify(key))?.mode !== "compatible") {
      expect(performance.now() - changed).toBeLessThan(1000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await elsewhere.close();
    // The key has this mode already: nothing is changed or recorded in the audit log.
    expect((await member.send("POST", `/keys/${summary.id}/mode`, { mode: "compatible" })).status).toBe(200);
    const { entries } = (await owner.send("GET", "/audit?limit=2")).json as { entries: unknown[] };
    expect(entries).toMatchObject([
      { action: "key.set_mode", subject: summary.id, detail: { before: "strict", mode: "compatible" } },
      { action: "key.create", subject: summary.id, detail: { mode: "strict" } },
    ]);
  });

  test("has a limit of its own within the account's that changes immediately and is kept on rotation", async () => {
    const limit = { requests_per_minute: 6, burst: 2 };
    const { key, summary } = await make(member, limit);
    expect(summary).toMatchObject(limit);
    expect([await askWith(key), await askWith(key), await askWith(key)]).toEqual([200, 200, 429]);
    const { json } = await member.send("GET", "/quota");
    expect((json["keys"] as { id: string }[]).find(({ id }) => id === summary.id)).toMatchObject({
      burst: 2,
      remaining: 0,
    });
    expect(json["explorer"]).toMatchObject({ burst: 120 });
    const rotated = (await member.send("POST", `/keys/${summary.id}/rotate`, {})).json as unknown as Made;
    expect(rotated.summary).toMatchObject(limit);
    const path = `/keys/${rotated.summary.id}/limit`;
    const wider = { requests_per_minute: 60, burst: 20 };
    expect(await member.send("POST", path, wider)).toMatchObject({ status: 200, json: { summary: wider } });
    expect((await host.access.verify(rotated.key))?.keyPace).toEqual({ requestsPerMinute: 60, burst: 20 });
    const none = { requests_per_minute: null, burst: null };
    expect(await member.send("POST", path, none)).toMatchObject({ status: 200, json: { summary: none } });
    expect((await host.access.verify(rotated.key))?.keyPace).toBeNull();
    const { entries } = (await owner.send("GET", "/audit?limit=1")).json as { entries: unknown[] };
    expect(entries).toMatchObject([{ action: "key.set_limit", detail: { before: wider, limit: none } }]);
  });

  test.each([
    [{ burst: 5 }, "burst"],
    [{ requests_per_minute: 5 }, "burst"],
    [{ requests_per_minute: 0, burst: 5 }, "requests_per_minute"],
    [{ requests_per_minute: 1.5, burst: 5 }, "requests_per_minute"],
    [{ requests_per_minute: 5, burst: 1_000_001 }, "burst"],
  ])("rejects %j as its limit", async (limit, path) => {
    const { summary } = await make(owner);
    for (const [where, body] of [
      ["/keys", { name: "k", ...limit }],
      [`/keys/${summary.id}/limit`, limit],
    ] as const) {
      const { status, json } = await owner.send("POST", where, body);
      expect([status, json]).toMatchObject([400, { error: { code: "INVALID_REQUEST", details: [{ path }] } }]);
    }
  });

  test("is limited to the given datasets, or has no such limit if they are null", async () => {
    const { key } = await make(owner, { datasets: [574] });
    expect((await host.access.verify(key))?.datasets).toEqual([574]);
    const { key: wide } = await make(owner, { datasets: null, expires_at: null });
    expect((await host.access.verify(wide))?.datasets).toBeNull();
  });
});

/** Reads a page of a list and the id after which the next one begins. */
const pageOf = async (browser: Browser, path: string, what: string) => {
  const { status, json } = await browser.send("GET", path);
  expect(status).toBe(200);
  const rows = json[what] as readonly { readonly id: string }[];
  return { ids: rows.map(({ id }) => id), hasMore: json["has_more"], last: rows.at(-1)?.id ?? "" };
};

describe("a list of more than 1,000 entries", () => {
  test("of keys reports that there are more, and its next page has the newest, as has the quota", async () => {
    const busy = await host.makeAccount("busy");
    const browser = await host.signedIn((await host.makeUser(busy, "owner")).email);
    const { summary: older } = await make(browser);
    // The oldest of these is removed when the next key is created.
    await addManyKeys(host.records.db, busy);
    const { summary } = await make(browser);
    const first = await pageOf(browser, "/keys", "keys");
    expect([first.ids.length, first.hasMore]).toEqual([1000, true]);
    const rest = await pageOf(browser, `/keys?after=${first.last}`, "keys");
    expect(rest).toMatchObject({ ids: [older.id, summary.id], hasMore: false });
    const { json } = await browser.send("GET", "/quota");
    expect(json["keys"]).toMatchObject([{ id: older.id }, { id: summary.id }]);
  });

  test("of accounts or users reports that there are more, and the next page completes it", async () => {
    const operator = await host.signedIn((await host.makeUser(account, "operator")).email);
    await addManyUsers(host.records.db, await addManyAccounts(host.records.db));
    for (const [path, what] of [
      ["/operator/accounts", "accounts"],
      ["/users", "users"],
    ] as const) {
      const first = await pageOf(operator, path, what);
      expect([first.ids.length, first.hasMore], what).toEqual([1000, true]);
      const rest = await pageOf(operator, `${path}?after=${first.last}`, what);
      expect(rest.hasMore, what).toBe(false);
      expect(new Set([...first.ids, ...rest.ids]).size).toBe(first.ids.length + rest.ids.length);
    }
  });
});

describe("an invalid request is refused with the field that is wrong", () => {
  test.each([
    [{ name: "" }, "name"],
    [{}, "name"],
    [{ name: "x".repeat(201) }, "name"],
    [{ name: "a\u0000b" }, "name"],
    [{ name: "a", expires_at: "tomorrow" }, "expires_at"],
    [{ name: "a", expires_at: "2020-01-01" }, "expires_at"],
    [{ name: "a", expires_at: "9999-12-31T23:59:59-01:00" }, "expires_at"],
    [{ name: "a", datasets: [1] }, "datasets"],
    [{ name: "a", datasets: ["574"] }, "datasets.0"],
    [{ name: "a", datasets: [] }, "datasets"],
    [{ name: "a", mode: "lenient" }, "mode"],
    [{ name: "a", role: "operator" }, ""],
  ])("creating a key: %j", async (body, path) => {
    const { status, json } = await owner.send("POST", "/keys", body);
    expect(status).toBe(400);
    expect(json["error"]).toMatchObject({ code: "INVALID_REQUEST", details: [{ path }] });
  });

  test.each([
    ["GET", "/keys?after=%00", "after"],
    ["GET", "/keys?account=%00", "account"],
    ["GET", "/users?after=%00", "after"],
    ["GET", "/usage?key=%00", "key"],
    ["GET", "/operator/parked?stream=%00", "stream"],
    ["POST", "/operator/accounts/acc_%00/enable", "id"],
    ["POST", "/users/usr_%00/enable", "id"],
  ])("a NUL character in %s %s", async (method, path, field) => {
    const operator = await host.signedIn((await host.makeUser(account, "operator")).email);
    const { status, json } = await operator.send(method, path);
    expect([status, json]).toMatchObject([400, { error: { code: "INVALID_REQUEST", details: [{ path: field }] } }]);
  });

  test.each([
    [{ mode: "lenient" }, "mode"],
    [{}, "mode"],
    [{ mode: "strict", name: "a" }, ""],
  ])("changing the mode: %j", async (body, path) => {
    const { summary } = await make(owner);
    const { status, json } = await owner.send("POST", `/keys/${summary.id}/mode`, body);
    expect([status, json]).toMatchObject([400, { error: { code: "INVALID_REQUEST", details: [{ path }] } }]);
  });

  test("an overlap of more than 90 days", async () => {
    const { summary } = await make(owner);
    const reply = await owner.send("POST", `/keys/${summary.id}/rotate`, { overlap_seconds: 91 * 86_400 });
    expect(reply.status).toBe(400);
  });
});
