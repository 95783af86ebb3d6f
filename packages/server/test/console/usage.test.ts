import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../../src/access/keys.ts";
import { toCsv } from "../../src/http/console/usage-routes.ts";
import type { Browser } from "./browser.ts";
import { openConsoleHost, type ConsoleHost } from "./console-host.ts";

const ASK = { agent_id: 574, params: { owner: `0x${"ab".repeat(20)}` } };

let host: ConsoleHost;
let account: string;
let member: Browser;
let operator: Browser;
let key: { readonly key: string; readonly id: string };
let user: { readonly id: string; readonly email: string };

beforeAll(async () => {
  host = await openConsoleHost();
  account = await host.makeAccount("Ours", "free");
  user = await host.makeUser(account, "member");
  member = await host.signedIn(user.email);
  operator = await host.signedIn((await host.makeUser(await host.makeAccount("Op"), "operator")).email);
  const made = await createKey(host.admin, { account, name: '=HYPERLINK("http://evil.example";"x")' });
  key = { key: made.key, id: made.summary.id };
  for (let turn = 0; turn < 3; turn += 1) await ask(key.key);
  expect((await member.send("POST", "/ask", ASK)).status).toBe(200);
  await ask(key.key, { ...ASK, agent_id: 1 });
  await written(5);
});
afterAll(async () => await host?.close());

async function ask(token: string, body: unknown = ASK): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (await fetch(host.endpoint, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

const total = async (query: string): Promise<number> => {
  const { json } = await member.send("GET", `/usage?${query}`);
  return (json["total"] as { requests: number } | null)?.requests ?? 0;
};

/** Usage is written about once a second. */
async function written(requests: number): Promise<void> {
  const end = Date.now() + 20_000;
  while ((await total("by=")) < requests && Date.now() < end) await sleep(100);
}

test("usage lists lines for the account's keys and the explorer, by day and in total", async () => {
  const { status, json, headers } = await member.send("GET", "/usage");
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  const day = new Date(host.now()).toISOString().slice(0, 10);
  const lines = json["lines"] as readonly Record<string, unknown>[];
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ day, key_id: key.id, agent_id: 574, status: 200, requests: 3, rows: 6 }),
      expect.objectContaining({ day, key_id: user.id, key_name: `Explorer (${user.email})`, requests: 1, rows: 2 }),
    ]),
  );
  expect(lines.reduce((sum, line) => sum + Number(line["requests"]), 0)).toBe(5);
  expect(json["days"]).toMatchObject([{ day, key_id: null, requests: 5 }]);
  expect(json["total"]).toMatchObject({ day: null, requests: 5, rows: 10 });
  for (const line of lines) {
    expect(Number(line["bytes"])).toBeGreaterThan(0);
    expect(Number(line["ms_p99"])).toBeGreaterThanOrEqual(Number(line["ms_p50"]));
  }
});

test("usage can be filtered by key, dataset, status and days", async () => {
  expect(await total(`key=${key.id}`)).toBe(4);
  expect(await total(`key=${key.id}&agent_id=574&status=2xx`)).toBe(3);
  expect(await total("to=2020-01-31&from=2020-01-01")).toBe(0);
});

test("an invalid query is refused with its field, never ignored", async () => {
  for (const [query, path] of [
    ["from=yesterday", "from"],
    ["status=ok", "status"],
    ["by=day,hour", "by.1"],
    ["from=2020-01-01&to=2026-01-01", "from"],
    ["from=0000-12-31&to=0000-12-31", "from"],
    ["to=0001-01-05", "from"],
  ]) {
    const { status, json } = await member.send("GET", `/usage?${query}`);
    expect([status, json]).toMatchObject([400, { error: { code: "INVALID_REQUEST", details: [{ path }] } }]);
  }
  expect((await member.send("GET", "/usage?form=2026-01-01")).text).toContain("form");
  expect((await member.send("GET", `/usage?key=${"k".repeat(200)}`)).status).toBe(400);
});

test("usage of another account is not found; the operator may name it by id or address", async () => {
  const other = await host.makeAccount("Other");
  const theirs = await host.signedIn((await host.makeUser(other, "owner")).email);
  expect((await theirs.send("GET", "/usage")).json).toMatchObject({ lines: [], total: null });
  expect((await theirs.send("GET", `/usage?key=${key.id}`)).json).toMatchObject({ lines: [] });
  expect((await theirs.send("GET", `/usage?account=${account}`)).status).toBe(404);
  expect((await theirs.send("GET", `/usage.csv?account=${account}`)).status).toBe(404);
  expect((await operator.send("GET", "/usage")).json).toMatchObject({ total: null });
  expect((await operator.send("GET", `/usage?account=${account}`)).json).toMatchObject({ total: { requests: 5 } });
  expect((await operator.send("GET", "/usage?account=nobody@example.org")).status).toBe(404);
});

test("usage is read for an account although the users of another one read theirs many times at once", async () => {
  const reads = Array.from({ length: 30 }, () => member.send("GET", "/usage"));
  const [own, others] = await Promise.all([operator.send("GET", "/usage"), Promise.all(reads)]);
  expect(own.status).toBe(200);
  expect(others.map(({ status }) => status)).toContain(200);
});

test("a user may open the usage page three times at once", async () => {
  const reads = await Promise.all(Array.from({ length: 9 }, () => member.send("GET", "/usage")));
  expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
});

test("usage as CSV has the same lines, and no text that a spreadsheet runs as a formula", async () => {
  const { status, headers, text } = await member.send("GET", "/usage.csv?by=key,dataset,status");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="usage-[\d-]{10}-[\d-]{10}\.csv"$/);
  const [head, ...rows] = text.trimEnd().split("\r\n");
  expect(head).toBe("day,key_id,key_name,agent_id,dataset,status,requests,rows,bytes,ms_mean,ms_p50,ms_p95,ms_p99");
  expect(rows).toHaveLength(3);
  const formula = rows.find((row) => row.includes(key.id) && row.includes("things"));
  expect(formula).toContain(`,${key.id},"'=HYPERLINK(""http://evil.example"";""x"")",574,things,200,3,6,`);
});

test("a route without parameters refuses one instead of ignoring it", async () => {
  for (const path of ["/quota", "/datasets", "/session"]) {
    const { status, json } = await member.send("GET", `${path}?account=another`);
    expect([status, json]).toMatchObject([400, { error: { message: expect.stringContaining('"account"') } }]);
  }
});

test("the quota shows what each key and the explorer have left, and costs nothing to read", async () => {
  const before = (await member.send("GET", "/quota")).json;
  expect(before).toMatchObject({
    plan: "free",
    requests_per_minute: 60,
    burst: 30,
    max_page: 200,
    max_list: 50,
    at_once: 16,
    key_at_once: 8,
    room: { keys: { used: 1, most: 5 }, users: { used: 2, most: 3 } },
  });
  const leftOf = (json: Readonly<Record<string, unknown>>): { remaining: number; reset_seconds: number } => {
    const keys = json["keys"] as readonly { id: string; remaining: number; reset_seconds: number }[];
    return keys.find(({ id }) => id === key.id) ?? { remaining: Number.NaN, reset_seconds: Number.NaN };
  };
  for (let turn = 0; turn < 5; turn += 1) await member.send("GET", "/quota");
  expect(leftOf((await member.send("GET", "/quota")).json).remaining).toBeGreaterThanOrEqual(leftOf(before).remaining);
  host.pass(600_000);
  expect(leftOf((await member.send("GET", "/quota")).json)).toMatchObject({ remaining: 30, reset_seconds: 0 });
  await ask(key.key);
  const requested = Date.now();
  const after = (await member.send("GET", "/quota")).json;
  const tookSeconds = (Date.now() - requested) / 1000;
  expect(leftOf(after).remaining).toBe(29);
  expect(leftOf(after).reset_seconds).toBeGreaterThan(0);
  const explorer = after["explorer"] as { readonly reset_seconds: number };
  expect(explorer).toEqual({ id: user.id, remaining: 29, burst: 30, reset_seconds: explorer.reset_seconds });
  // One bucket, read twice while the answer was built.
  expect(leftOf(after).reset_seconds - explorer.reset_seconds).toBeGreaterThanOrEqual(0);
  expect(leftOf(after).reset_seconds - explorer.reset_seconds).toBeLessThanOrEqual(tookSeconds + 0.0011);
});

test("requests of a user's explorer and of every key draw on one bucket of the account", async () => {
  const sharing = await host.makeAccount("Sharing", "free");
  const one = await host.signedIn((await host.makeUser(sharing, "member")).email);
  const other = await host.signedIn((await host.makeUser(sharing, "owner")).email);
  const keys = await Promise.all([1, 2].map(() => createKey(host.admin, { account: sharing })));
  const statuses: number[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    for (const browser of [one, other]) statuses.push((await browser.send("POST", "/ask", ASK)).status);
    for (const each of keys) statuses.push(await ask(each.key));
  }
  const answered = statuses.filter((status) => status === 200).length;
  // 30 at once, and one for each second that passed.
  expect(answered).toBeGreaterThanOrEqual(30);
  expect(answered).toBeLessThan(45);
  expect(statuses).toContain(429);
});

const roomOf = async (browser: Browser): Promise<unknown> => (await browser.send("GET", "/quota")).json["room"];

test("the quota shows how many keys and users the account has and may have", async () => {
  const growing = await host.makeAccount("Growing", "free");
  const owner = await host.signedIn((await host.makeUser(growing, "owner")).email);
  const { id } = (await createKey(host.admin, { account: growing })).summary;
  await createKey(host.admin, { account: growing });
  const other = await host.makeUser(growing, "member");
  expect(await roomOf(owner)).toEqual({ keys: { used: 2, most: 5 }, users: { used: 3, most: 3 } });
  await owner.send("POST", `/keys/${id}/revoke`);
  await owner.send("POST", `/users/${other.id}/disable`);
  expect(await roomOf(owner)).toEqual({ keys: { used: 1, most: 5 }, users: { used: 2, most: 3 } });
  expect(await roomOf(operator)).toMatchObject({ keys: { most: 1000 }, users: { most: 1000 } });
});

/** Parses CSV as RFC 4180 defines it. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/gy;
  let row: string[] = [];
  for (let found = field.exec(text); found; found = field.exec(text)) {
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (found[3] === ",") continue;
    rows.push(row);
    row = [];
  }
  expect(field.lastIndex).toBe(0);
  return rows;
}

describe("CSV", () => {
  test("keeps any text unchanged, except for an apostrophe before one that a spreadsheet would run", () => {
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."=+-@|%\"',;\r\n\t ax1é\0") }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 20 }), (rows) => {
        const [heads, ...read] = parse(toCsv(["a", "b", "c"], rows));
        expect(heads).toEqual(["a", "b", "c"]);
        expect(read).toHaveLength(rows.length);
        for (const [at, row] of rows.entries()) {
          for (const [column, given] of row.entries()) {
            const reported = read[at]?.[column] ?? "missing";
            if (typeof given !== "string") expect(reported).toBe(given === null ? "" : String(given));
            else {
              expect([given, `'${given}`]).toContain(reported);
              expect(reported).not.toMatch(/^[\s\0]*[=+\-@|%]/u);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
