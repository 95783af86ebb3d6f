import { afterEach, describe, expect, it } from "vitest";
import type { Pace } from "../../src/access/caller.ts";
import { TOKEN, type Api } from "./api.ts";
import { openPacedApi, PACES } from "./paced-api.ts";

type Headers = Readonly<Record<string, unknown>>;

let api: Api | undefined;
afterEach(() => api?.close());

async function openPaced(pace: Pace, clock: () => number, keyPace: Pace | null = null) {
  const paced = await openPacedApi(pace, clock, keyPace);
  ({ api } = paced);
  return paced;
}

const ALL_PACES: readonly Pace[] = [
  { requestsPerMinute: 60, burst: 5 },
  { requestsPerMinute: 40, burst: 14 },
  ...PACES,
];
/** Costs of requests, unordered; the highest exceeds some of the buckets. */
const COSTS = [3, 1, 12, 2, 7, 1, 1, 11, 5, 3, 9, 4, 12, 10, 1, 6, 8, 3, 3, 2];
const IDLE = [0, 0, 0, 7, 0, 640, 0, 0, 1999, 0, 1];

const numberOf = (headers: Headers, name: string): number => Number(headers[name]);

/** Milliseconds until so many units are available, by the x-ratelimit headers of the last answer. */
function waitOf(headers: Headers, units: number): number {
  const missing = units - numberOf(headers, "x-ratelimit-remaining");
  if (missing <= 0) return 0;
  const ofOthers = ((missing - 1) * 60_000) / numberOf(headers, "x-ratelimit-limit");
  return Math.ceil(numberOf(headers, "x-ratelimit-reset") * 1000 + ofOthers);
}

/** Same as `waitOf`, by the RateLimit fields, which report every bucket that a request is charged to. */
function waitOfAll(headers: Headers, units: number): number {
  const policies = String(headers["ratelimit-policy"]).split(", ");
  const waits = String(headers["ratelimit"])
    .split(", ")
    .map((reported, place) => {
      const [, name, r, t] = /^"([a-z-]+)";r=(\d+);t=(\d+)$/.exec(reported) ?? [];
      const [, policy, q, w] = /^"([a-z-]+)";q=(\d+);w=(\d+)$/.exec(policies[place] ?? "") ?? [];
      expect(name).toBe(policy);
      const missing = Math.min(units, Number(q)) - Number(r);
      return missing <= 0 ? 0 : Number(t) * 1000 + ((missing - 1) * Number(w) * 1000) / Number(q);
    });
  return Math.ceil(Math.max(...waits));
}

describe.each(ALL_PACES)("requests of 1 to 12 units at $requestsPerMinute a minute, burst $burst", (pace) => {
  const own = {
    requestsPerMinute: Math.ceil(pace.requestsPerMinute / 3),
    burst: Math.ceil(pace.burst / 2),
  };

  it("are answered at the time the headers report, and none waits a second longer than needed", async () => {
    let now = 1_700_000_000_000;
    const { ask, leftOf } = await openPaced(pace, () => now);
    let last = (await ask(1)).headers as Headers;
    for (let turn = 0; turn < 60; turn += 1) {
      const costs = Math.min(COSTS[turn % COSTS.length] ?? 1, pace.burst);
      const at = now + waitOf(last, costs);
      if (at - 1000 >= now) {
        now = at - 1000;
        expect(await leftOf(TOKEN)).toBeLessThan(costs);
      }
      now = at + (IDLE[turn % IDLE.length] ?? 0);
      const reply = await ask(costs);
      expect([reply.statusCode, reply.headers["x-almanac-cost"]]).toEqual([200, String(costs)]);
      last = reply.headers;
    }
  });

  it.each([
    ["the key's bucket is the smaller", pace, own],
    ["the account's bucket is the smaller", own, pace],
    ["the key's is smaller and fills faster", own, { requestsPerMinute: pace.requestsPerMinute * 7, burst: own.burst }],
  ])("are answered at the time RateLimit reports for both buckets, if %s", async (_which, account, key) => {
    let now = 1_700_000_000_000;
    const { ask } = await openPaced(account, () => now, key);
    let last = (await ask(1)).headers as Headers;
    for (let turn = 0; turn < 60; turn += 1) {
      const costs = COSTS[turn % COSTS.length] ?? 1;
      now += waitOfAll(last, costs) + (IDLE[turn % IDLE.length] ?? 0);
      const reply = await ask(costs);
      expect(reply.statusCode).toBe(200);
      last = reply.headers;
    }
  });

  it.each([
    ["no limit of its own", null],
    ["a limit of its own", own],
  ])("are answered after any refusal and its reported reset, for a key with %s", async (_which, keyPace) => {
    let now = 1_700_000_000_000;
    const { ask } = await openPaced(pace, () => now, keyPace);
    let refusals = 0;
    for (let turn = 0; turn < pace.burst + 60; turn += 1) {
      const costs = COSTS[turn % COSTS.length] ?? 1;
      const reply = await ask(costs);
      if (reply.statusCode === 200) continue;
      refusals += 1;
      const reset = String(reply.headers["x-ratelimit-reset"]);
      expect([reply.statusCode, reply.headers["retry-after"]]).toEqual([429, reset]);
      expect(String(reply.headers["ratelimit"]).split(", ")[0]).toMatch(new RegExp(`;t=${reset}$`));
      now += Number(reset) * 1000;
      expect((await ask(costs)).statusCode).toBe(200);
    }
    expect(refusals).toBeGreaterThan(0);
  });
});

it("a key of 60/min, burst 5, paced by the headers at cost 3 gets 20 a minute, one burst, no refusal", async () => {
  let now = 1_700_000_000_000;
  const { ask } = await openPaced({ requestsPerMinute: 60, burst: 30 }, () => now, { requestsPerMinute: 60, burst: 5 });
  let answered = 0;
  for (const until = now + 60_000; now < until; answered += 1) {
    const reply = await ask(3);
    expect(reply.statusCode).toBe(200);
    now += waitOf(reply.headers, 3);
  }
  expect(answered).toBe(21);
});
