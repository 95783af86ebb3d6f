import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openPasswords } from "../../src/access/passwords.ts";
import { openSignInThrottle } from "../../src/access/limiter.ts";
import type { Reply } from "./browser.ts";
import { openConsoleHost, PASSWORD, type ConsoleHost } from "./console-host.ts";

describe("guessing passwords", () => {
  let throttled: ConsoleHost;
  let guessed: string;
  let other: string;
  const seconds = 60;
  beforeAll(async () => {
    throttled = await openConsoleHost({
      throttle: { perAddress: 6, perEmail: 2, seconds },
      server: { trustedProxies: ["127.0.0.1"] },
    });
    const id = await throttled.makeAccount("a");
    guessed = (await throttled.makeUser(id, "member")).email;
    other = (await throttled.makeUser(id, "member")).email;
  });
  afterAll(() => throttled.close());
  afterEach(() => void vi.useRealTimers());
  const from = async (address: string, who: string, password: string): Promise<Reply> =>
    await throttled.browser().send("POST", "/session", { email: who, password }, { "x-forwarded-for": address });

  test("is throttled per guessed address, only for the guessing client, with the exact wait", async () => {
    const started = performance.now();
    expect((await from("203.0.113.1", guessed, "wrong one")).status).toBe(401);
    expect((await from("203.0.113.1", guessed, "wrong two")).status).toBe(401);
    const before = throttled.verified();
    const refused = await from("203.0.113.1", guessed, PASSWORD);
    expect([refused.status, refused.json]).toMatchObject([429, { error: { code: "RATE_LIMITED" } }]);
    expect(throttled.verified()).toBe(before);
    const wait = Number(refused.headers.get("retry-after"));
    const passed = (performance.now() - started) / 1000;
    expect(wait).toBeLessThanOrEqual(seconds);
    expect(wait).toBeGreaterThanOrEqual(Math.floor(seconds - passed));
    expect((await from("203.0.113.1", other, PASSWORD)).status).toBe(200);
    expect((await from("203.0.113.2", guessed, PASSWORD)).status).toBe(200);
  });

  test("is throttled per client: an IPv4 address or an IPv6 network", async () => {
    for (let i = 0; i < 6; i += 1) {
      expect((await from(`2001:db8:0:7::${i}`, `u${i}@example.org`, "wrong")).status).toBe(401);
    }
    expect((await from("2001:0db8::7:1:2:3:4", other, PASSWORD)).status).toBe(429);
    expect((await from("2001:db8:0:8::1", other, PASSWORD)).status).toBe(200);
  });

  test("is throttled per IPv4 address, however it is written as an IPv6 one", async () => {
    const forms = ["::ffff:203.0.113.80", "::ffff:cb00:7150", "0:0:0:0:0:FFFF:203.0.113.80"];
    for (let i = 0; i < 6; i += 1) {
      expect((await from(forms[i % 3] ?? "", `u${i}@example.org`, "wrong")).status).toBe(401);
    }
    expect((await from("203.0.113.80", other, PASSWORD)).status).toBe(429);
    expect((await from("::ffff:cb00:7151", other, PASSWORD)).status).toBe(200);
  });

  test("is throttled per client also if the proxy adds the client's port to its address", async () => {
    for (const [first, next] of [
      ["203.0.113.50:4000", "203.0.113.50:4006"],
      ["[2001:db8:0:9::1]:4000", "2001:db8:0:9::2"],
    ] as const) {
      for (let i = 0; i < 6; i += 1) {
        const address = first.replace("4000", String(4000 + i));
        expect((await from(address, `u${i}@example.org`, "wrong")).status).toBe(401);
      }
      expect((await from(next, other, PASSWORD)).status).toBe(429);
    }
  });

  test("does not count right passwords", async () => {
    for (let i = 0; i < 8; i += 1) expect((await from("203.0.113.9", other, PASSWORD)).status).toBe(200);
  });

  test("ignores X-Forwarded-For unless the proxy is trusted", async () => {
    const bare = await openConsoleHost({
      records: throttled.records,
      throttle: { perAddress: 2, perEmail: 2, seconds },
    });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) {
      const headers = { "x-forwarded-for": `203.0.113.${i}` };
      const body = { email: `u${i}@example.org`, password: "x" };
      statuses.push((await bare.browser().send("POST", "/session", body, headers)).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
    await bare.close();
  });

  test("never locks anybody out permanently", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const throttle = openSignInThrottle({ perAddress: 10, perEmail: 1, seconds: 1 });
    await throttle.take("203.0.113.1", "a@example.org");
    await expect(throttle.take("203.0.113.1", "a@example.org")).rejects.toMatchObject({ retryAfterSeconds: 1 });
    // Attempts in between do not extend the wait.
    await expect(throttle.take("203.0.113.1", "a@example.org")).rejects.toMatchObject({ code: "RATE_LIMITED" });
    vi.advanceTimersByTime(1050);
    await throttle.take("203.0.113.1", "a@example.org");
  });

  test("also counts wrong passwords given when changing one's own", async () => {
    const { email: one } = await throttled.makeUser(await throttled.makeAccount("b"), "member");
    const headers = { "x-forwarded-for": "203.0.113.77" };
    const browser = throttled.browser();
    const { json } = await browser.send("POST", "/session", { email: one, password: PASSWORD }, headers);
    const sent = { ...headers, "x-csrf-token": String(json["csrf_token"]) };
    const body = { current_password: "guess", new_password: "quite another password" };
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await browser.send("POST", "/password", body, sent)).status);
    expect(statuses).toEqual([400, 400, 429]);
  });
});

test("argon2 runs at most twice at once, and its queue is bounded", async () => {
  let running = 0;
  let most = 0;
  const passwords = openPasswords(
    { atOnce: 2, waiting: 3 },
    {
      hash: async () => "hash",
      verify: async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(20);
        running -= 1;
        return true;
      },
    },
  );
  const tries = await Promise.allSettled(Array.from({ length: 7 }, () => passwords.verify(["hash"], "x")));
  expect(most).toBe(2);
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(tries.filter(({ status }) => status === "rejected")).toMatchObject([
    { reason: { code: "UNAVAILABLE" } },
    { reason: { code: "UNAVAILABLE" } },
  ]);
});

test("new passwords are hashed one after another in a bounded queue, and sign-ins do not wait for them", async () => {
  const made: (() => void)[] = [];
  const hash = async (password: unknown): Promise<string> => {
    if (password === "new") await new Promise<void>((resolve) => made.push(resolve));
    return "hash";
  };
  const passwords = openPasswords({ atOnce: 1, waiting: 0 }, { hash, verify: async () => true });
  const making = Promise.allSettled(Array.from({ length: 20 }, () => passwords.hash("new")));
  expect(await passwords.verify(["hash"], "x")).toEqual([true]);
  expect(made).toHaveLength(1);
  for (let place = 0; place < 17; place += 1) {
    const done = await vi.waitUntil(() => made[place]);
    done();
  }
  const outcomes = (await making).map(({ status }) => status);
  expect(outcomes.filter((status) => status === "rejected")).toHaveLength(3);
});

test("refusals of the console are delayed as the endpoint's are, beyond a few a second for one address", async () => {
  const held = await openConsoleHost({
    server: { bounds: { maxRefusalsOfOne: 3, refusalHoldMs: 300 }, trustedProxies: ["127.0.0.1"] },
  });
  const took = async (address: string): Promise<number> => {
    const from = performance.now();
    const { status } = await held.browser().send("GET", "/session", undefined, { "x-forwarded-for": address });
    expect(status).toBe(401);
    return performance.now() - from;
  };
  for (let turn = 0; turn < 3; turn += 1) await took("203.0.113.1");
  const [delayed, other] = await Promise.all([took("203.0.113.1"), took("203.0.113.2")]);
  expect(delayed).toBeGreaterThan(290);
  expect(other).toBeLessThan(290);
  await held.close();
});
