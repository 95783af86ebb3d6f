import { afterEach, describe, expect, it } from "vitest";
import type { Answer } from "../../src/query/answer.ts";
import type { Pace } from "../../src/access/caller.ts";
import { answerOf, apiOptions, openApi, OTHER_TOKEN, post, TOKEN, type Api } from "./api.ts";
import { openPacedApi, PACES } from "./paced-api.ts";

/** The values that both families of headers report alike. */
type Reported = { readonly remaining: number; readonly resetMs: number };

let api: Api | undefined;
afterEach(() => api?.close());

async function openPaced(pace: Pace, clock: () => number, keyPace: Pace | null = null) {
  const paced = await openPacedApi(pace, clock, keyPace);
  ({ api } = paced);
  return { ...paced, ask: (key: string) => paced.ask(1, key) };
}

function read(headers: Readonly<Record<string, unknown>>, name = "burst"): Reported {
  const [, reported, r, t] = /^"([a-z-]+)";r=(\d+);t=(\d+)/.exec(String(headers["ratelimit"])) ?? [];
  expect(reported).toBe(name);
  expect([r, t]).toEqual([headers["x-ratelimit-remaining"], headers["x-ratelimit-reset"]]);
  return { remaining: Number(r), resetMs: Number(t) * 1000 };
}

/** Milliseconds that a caller idles before it sends a request. */
const IDLE = [0, 0, 0, 7, 0, 640, 0, 0, 1999, 0, 1];

describe.each(PACES)("a limit of $requestsPerMinute a minute, burst $burst", (pace) => {
  it("answers a client that follows the headers and makes none wait a second too long", async () => {
    let now = 1_700_000_000_000;
    const { ask, isFree } = await openPaced(pace, () => now);
    for (let turn = 0; turn < pace.burst + 40; turn += 1) {
      const reply = await ask(TOKEN);
      expect(reply.statusCode).toBe(200);
      const { remaining, resetMs } = read(reply.headers);
      if (remaining === 0) {
        const since = now;
        for (now = since; now <= since + resetMs - 1000; now += 250) expect(await isFree(TOKEN)).toBe(false);
        now = since + resetMs;
      }
      now += IDLE[turn % IDLE.length] ?? 0;
    }
  });

  it("answers two keys of one account that alternate, each following the other's headers", async () => {
    let now = 1_700_000_000_000;
    const { ask, isFree } = await openPaced(pace, () => now);
    for (let turn = 0; turn < pace.burst + 40; turn += 1) {
      const reply = await ask(turn % 2 === 0 ? TOKEN : OTHER_TOKEN);
      expect(reply.statusCode).toBe(200);
      const { remaining, resetMs } = read(reply.headers);
      if (remaining === 0) {
        const since = now;
        for (now = since; now <= since + resetMs - 1000; now += 250) {
          expect([await isFree(TOKEN), await isFree(OTHER_TOKEN)]).toEqual([false, false]);
        }
        now = since + resetMs;
      }
      now += IDLE[turn % IDLE.length] ?? 0;
    }
  });

  it("reports each key's own bucket if the account's has room for all", async () => {
    let now = 1_700_000_000_000;
    const account = { requestsPerMinute: 2 * pace.requestsPerMinute, burst: 2 * pace.burst + 1 };
    const { ask } = await openPaced(account, () => now, pace);
    const freeAt = new Map([TOKEN, OTHER_TOKEN].map((key) => [key, now]));
    for (let turn = 0; turn < 2 * pace.burst + 40; turn += 1) {
      const [key, at] = [...freeAt].reduce((one, other) => (other[1] < one[1] ? other : one));
      now = Math.max(now, at);
      const reply = await ask(key);
      expect(reply.statusCode).toBe(200);
      const { remaining, resetMs } = read(reply.headers, "key-burst");
      freeAt.set(key, now + (remaining === 0 ? resetMs : 1));
    }
  });

  it("reports the deciding bucket, the key's or the account's, and refuses no client that follows it", async () => {
    let now = 1_700_000_000_000;
    const own = { requestsPerMinute: Math.ceil(pace.requestsPerMinute / 2), burst: Math.ceil(pace.burst / 2) };
    const { ask } = await openPaced(pace, () => now, own);
    const reported = new Set<string>();
    for (let turn = 0; turn < pace.burst + 60; turn += 1) {
      const reply = await ask(TOKEN);
      expect(reply.statusCode).toBe(200);
      const name = /^"([a-z-]+)"/.exec(String(reply.headers["ratelimit"]))?.[1] ?? "";
      reported.add(name);
      const { remaining, resetMs } = read(reply.headers, name);
      if (remaining === 0) now += resetMs;
      now += IDLE[turn % IDLE.length] ?? 0;
      // The other key's requests reduce the account's bucket, which is then the one reported.
      if (turn % 5 === 0 && remaining > 1) await ask(OTHER_TOKEN);
    }
    expect(reported).toContain("key-burst");
  });

  it("reports the bucket's rate, size and time to fill", async () => {
    const { ask } = await openPaced(pace, () => 1_700_000_000_000);
    const { requestsPerMinute, burst } = pace;
    const { headers } = await ask(TOKEN);
    expect(headers["x-ratelimit-limit"]).toBe(String(requestsPerMinute));
    expect(headers["x-ratelimit-burst"]).toBe(String(burst));
    expect(headers["x-ratelimit-remaining"]).toBe(String(burst - 1));
    expect(headers["ratelimit-policy"]).toBe(`"burst";q=${burst};w=${Math.ceil((burst * 60) / requestsPerMinute)}`);
  });
});

it("makes a refused client wait exactly as long as the headers say", async () => {
  let now = 1_700_000_000_000;
  const { ask } = await openPaced({ requestsPerMinute: 7, burst: 1 }, () => now);
  await ask(TOKEN);
  now += 100;
  const refused = await ask(TOKEN);
  expect(refused.statusCode).toBe(429);
  const wait = refused.headers["retry-after"];
  expect(wait).toBe(refused.headers["x-ratelimit-reset"]);
  expect(refused.json()).toMatchObject({ error: { message: expect.stringContaining(`wait ${wait} seconds.`) } });
  now += read(refused.headers).resetMs;
  expect((await ask(TOKEN)).statusCode).toBe(200);
});

it("reports the account's concurrency limit if it decides, not the bucket", async () => {
  const held: (() => void)[] = [];
  const bounds = { maxAsks: 3, maxAsksOfOne: 1 };
  api = await openApi(() => new Promise((resolve) => held.push(() => resolve(answerOf()))), { bounds });
  const first = post(api, { agent_id: 574 });
  await expect.poll(() => held.length).toBe(1);
  const { status, headers } = await post(api, { agent_id: 574 });
  expect(status).toBe(429);
  expect(headers.get("x-ratelimit-remaining")).toBe("0");
  expect(headers.get("x-ratelimit-reset")).toBe(headers.get("retry-after"));
  expect(headers.get("ratelimit")).toBe('"at-once";r=0;t=1');
  expect(headers.get("ratelimit-policy")).toBe('"at-once";q=1;qu="concurrent-requests"');
  held[0]?.();
  expect((await first).status).toBe(200);
});

it("reports the plan's concurrency limits, of a key and of the account", async () => {
  const held: (() => void)[] = [];
  const { access } = apiOptions(async () => answerOf());
  const pace = { requestsPerMinute: 1000, burst: 1000 };
  const plan = {
    name: "free",
    ...pace,
    maxPage: 1000,
    maxList: 200,
    atOnce: 2,
    keyAtOnce: 1,
    datasets: "all",
  } as const;
  const caller = {
    prefix: "alm",
    accountId: "account-1",
    plan,
    keyPace: null,
    datasets: null,
    mode: "strict",
  } as const;
  const verify = async (token: string) => ({ ...caller, keyId: token });
  const hold = () => new Promise<Answer>((resolve) => held.push(() => resolve(answerOf())));
  const opened = (api = await openApi(hold, { access: { ...access, verify } }));
  const ask = (key: string) => post(opened, { agent_id: 574 }, { authorization: `Bearer ${key}` });
  const refusal = async (key: string): Promise<unknown> => {
    const { status, headers } = await ask(key);
    return [status, headers.get("ratelimit"), headers.get("ratelimit-policy")];
  };
  const first = ask("one");
  await expect.poll(() => held.length).toBe(1);
  expect(await refusal("one")).toEqual([429, '"key-at-once";r=0;t=1', '"key-at-once";q=1;qu="concurrent-requests"']);
  const second = ask("two");
  await expect.poll(() => held.length).toBe(2);
  expect(await refusal("three")).toEqual([429, '"at-once";r=0;t=1', '"at-once";q=2;qu="concurrent-requests"']);
  for (const release of held.splice(0)) release();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  const again = ask("one");
  await expect.poll(() => held.length).toBe(1);
  held[0]?.();
  expect((await again).status).toBe(200);
});
