import { expect, test } from "vitest";
import { openAccess } from "../../src/access/access.ts";
import { memoryAllowances } from "../../src/access/allowances.ts";
import { answerOf, apiOptions, openApi, post } from "../http/api.ts";
import { createAccount } from "../../src/access/accounts.ts";
import { openSignInThrottle } from "../../src/access/limiter.ts";
import { openPasswords } from "../../src/access/passwords.ts";
import { findSession } from "../../src/access/sessions.ts";
import { signIn } from "../../src/access/sign-in.ts";
import { openTestRecords } from "../fixtures/worker-records.ts";

const HOUR = 3_600_000;
const SECOND = 1000;

test("an account whose machine's clock is set back waits no longer than it is told, and gains nothing from one set ahead", async () => {
  const records = await openTestRecords();
  let [now, passed] = [Date.now(), 0];
  const log = { warn: () => undefined };
  const access = openAccess({ records, clock: () => now, monotonicMs: () => passed, log });
  const claimant = { keyId: "k", accountId: "a", keyPace: null, plan: { requestsPerMinute: 60, burst: 1 } };
  const isAllowed = async (): Promise<boolean> => (await access.take(claimant)).allowed;
  expect([await isAllowed(), await isAllowed()]).toEqual([true, false]);
  now -= HOUR;
  passed += SECOND;
  expect([await isAllowed(), await isAllowed()]).toEqual([true, false]);
  now += 2 * HOUR;
  expect(await isAllowed()).toBe(false);
  await access.close();
  await records.close();
});

test("a key that was refused often before the clock was set back is read again once its units are back", async () => {
  let [now, passed] = [Date.now(), 0];
  const { access } = apiOptions(async () => answerOf(), { perMinute: 2 });
  const monotonicMs = (): number => passed;
  const more = { access: { ...access, ...memoryAllowances(monotonicMs) }, clock: () => now, monotonicMs };
  const api = await openApi(async () => answerOf(), { ...more, bounds: { refusalHoldMs: 0 } });
  const statusOf = async (): Promise<number> => (await post(api, { agent_id: 574 })).status;
  for (let turn = 0; turn < 10; turn += 1) expect(await statusOf()).toBe(turn < 2 ? 200 : 429);
  now -= HOUR;
  passed += 60 * SECOND;
  expect(await statusOf()).toBe(200);
  await api.close();
});

test("a session begun after the clock was set back outlasts the older ones of its user", async () => {
  const records = await openTestRecords();
  let now = Date.now();
  const admin = { db: records.db, clock: () => now, actor: "test" };
  const house = {
    passwords: { ...openPasswords(), verify: async () => [true] },
    throttle: openSignInThrottle({ perAddress: 1000, perEmail: 1000, seconds: 900 }),
    bounds: { idleMs: 24 * HOUR, maxMs: 24 * HOUR },
  };
  const email = "back@example.org";
  await createAccount(admin, { name: "a", email, password: "correct horse battery staple" });
  const begin = async (): Promise<string> => {
    now += SECOND;
    return (await signIn(admin, house, { email, password: "x" }, { address: "192.0.2.1" })).token;
  };
  const tokens: string[] = [];
  for (let turn = 0; turn < 20; turn += 1) tokens.push(await begin());
  now -= HOUR;
  for (let turn = 0; turn < 3; turn += 1) tokens.push(await begin());
  const found = await Promise.all(tokens.map((token) => findSession(admin, house.bounds, token)));
  expect(found.map((session) => session !== undefined)).toEqual(tokens.map((_, at) => at >= 3));
  await records.close();
});
