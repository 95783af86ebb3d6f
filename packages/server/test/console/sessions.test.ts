import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallerError } from "../../src/definition/errors.ts";
import { openConsoleHost, PASSWORD, type ConsoleHost } from "./console-host.ts";

let host: ConsoleHost;
let email: string;
beforeAll(async () => {
  host = await openConsoleHost();
  const account = await host.makeAccount("a");
  ({ email } = await host.makeUser(account, "member"));
});
afterAll(() => host.close());

describe("signing in", () => {
  test("returns the user, a CSRF token and a cookie that no script can read", async () => {
    const browser = host.browser();
    const reply = await browser.send("POST", "/session", { email: email.toUpperCase(), password: PASSWORD });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      user: { email, role: "member", must_change_password: false, account: { name: "a", plan: "pro" } },
    });
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("set-cookie")).toMatch(
      /^almanac_session=[A-Za-z0-9_-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const read = await browser.send("GET", "/session");
    expect(read.status).toBe(200);
    expect(read.json["csrf_token"]).toBe(reply.json["csrf_token"]);
  });

  test("allows querying a dataset with the account's plan", async () => {
    const browser = await host.signedIn(email);
    const reply = await browser.send("POST", "/ask", { agent_id: 574, params: {} });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-ratelimit-limit")).toBe("600");
    expect(reply.json).toMatchObject({ pagination: { has_more: true } });
    const lines = host.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ path }) => path === "/api/console/ask")).toMatchObject([
      { status: 200, rows: 2, agent_id: 574, user: expect.stringMatching(/^usr_/), bytes: expect.any(Number) },
    ]);
    await host.access.close();
    const usage = await host.records.db.selectFrom("usage").select(["key_id", "agent_id", "status", "rows"]).execute();
    expect(usage).toEqual([{ key_id: expect.stringMatching(/^usr_/), agent_id: 574, status: 200, rows: 2 }]);
  });

  test("starts a session that signing out ends", async () => {
    const browser = await host.signedIn(email);
    const token = browser.cookie();
    expect((await browser.send("DELETE", "/session")).status).toBe(204);
    expect(browser.cookie()).toBeUndefined();
    const again = await browser.send("GET", "/session", undefined, { cookie: `almanac_session=${token}` });
    expect(again.status).toBe(401);
  });
});

test("a refused session lookup returns its own 503 message, and only a fault is logged as an error", async () => {
  const refusal = new CallerError("UNAVAILABLE", "Too many are looked up now.", { retryAfterSeconds: 7 });
  const failures: Error[] = [refusal, new Error("the records are gone")];
  const findSession = () => Promise.reject(failures.shift() ?? refusal);
  const busy = await openConsoleHost({ records: host.records, server: { console: { ...host.console, findSession } } });
  const cookie = (await host.signedIn(email)).cookie();
  const ask = () => busy.browser().send("GET", "/session", undefined, { cookie: `almanac_session=${cookie}` });
  const replies = [await ask(), await ask()];
  expect(replies.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
    [503, "7"],
    [503, "1"],
  ]);
  expect(replies.map(({ json }) => (json["error"] as Record<string, unknown>)["message"])).toEqual([
    "Too many are looked up now.",
    "Sessions cannot be checked now; try again in a second.",
  ]);
  const levels = () =>
    busy.lines.map((line) => JSON.parse(line) as Record<string, unknown>).map(({ level, status }) => [level, status]);
  await expect.poll(levels).toEqual([
    [30, 503],
    [50, 503],
  ]);
  await busy.close();
});
