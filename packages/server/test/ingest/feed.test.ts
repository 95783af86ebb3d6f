import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { Registry } from "prom-client";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Host } from "../../src/definition/connector.ts";
import { createBudget } from "../../src/ingest/budget.ts";
import { systemClock, type Clock } from "../../src/ingest/clock.ts";
import { createFeed, type FeedOptions } from "../../src/ingest/feed/feed.ts";
import type { ParkedPage } from "../../src/ingest/feed/accept.ts";
import { createLatencyWatch } from "../../src/ingest/feed/host-health.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";

const HOST: Host = { name: "venue", setting: "VENUE_URL", share: 1, limits: { all: { tokens: 1000, perSeconds: 1 } } };
const reply = z.object({ ok: z.number() });
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function upstream(answers: readonly Answer[]) {
  const seen: { url: string; body: string; at: number }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      seen.push({ url: request.url ?? "", body, at: Date.now() });
      answers[Math.min(seen.length, answers.length) - 1]?.(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function open(baseUrl: string, more: Partial<FeedOptions> = {}) {
  const parked: ParkedPage[] = [];
  const waits: number[] = [];
  /** Sleeps a hundredth as long, so that waits are measured without taking their full time. */
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) => {
      waits.push(ms);
      return systemClock.sleep(ms / 100, signal);
    },
  };
  const registry = new Registry();
  const budget = createBudget(HOST, systemClock);
  const feed = createFeed({
    host: HOST,
    baseUrl,
    budget,
    stream: "trades",
    priority: "live",
    log: pino({ level: "silent" }),
    park: (page) => {
      parked.push(page);
      return Promise.resolve();
    },
    clock,
    signal: new AbortController().signal,
    metrics: createIngestMetrics(registry),
    ...more,
  });
  return { feed, parked, waits, budget, registry };
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(value));
  };
const slow: Answer = (_request, response) => void setTimeout(() => response.end('{"ok":1}'), 30);

type RpcFrame = { id: number; method: string };
const rpcAnswer = ({ id, method }: RpcFrame) =>
  method === "eth_fail"
    ? { jsonrpc: "2.0", id, error: { code: -32000, message: "no such block" } }
    : { jsonrpc: "2.0", id, result: `0x${id}` };
const node: Answer = (_request, response, body) => {
  const requested = JSON.parse(body) as RpcFrame | RpcFrame[];
  response.end(JSON.stringify(Array.isArray(requested) ? requested.map(rpcAnswer).toReversed() : rpcAnswer(requested)));
};
const busy = json({ jsonrpc: "2.0", id: 0, error: { code: -32005, message: "limit exceeded" } });
const call = { path: "/trades", route: "all" };

describe("feed", () => {
  test("sends the query as given, with repeated keys repeated", async () => {
    const { url, seen } = await upstream([json({ ok: 1 })]);
    const { feed } = open(`${url}/api/v2/`);
    const query = [
      ["id", "1"],
      ["id", "2"],
      ["q", "a b&c"],
    ] as const;
    expect(await feed.get({ ...call, query }, reply)).toEqual({ ok: 1 });
    expect(seen[0]?.url).toBe("/api/v2/trades?id=1&id=2&q=a+b%26c");
  });

  test("gets through a storm of 429s, at a slower rate afterwards", async () => {
    const { url, seen } = await upstream([
      ...Array.from({ length: 4 }, () => json({ error: "too many" }, 429)),
      json({ ok: 2 }),
    ]);
    const { feed, budget } = open(url);
    expect(await feed.get(call, reply)).toEqual({ ok: 2 });
    expect(seen).toHaveLength(5);
    expect(budget.use()["all"]?.factor).toBeLessThan(1);
  });

  test("obeys Retry-After in seconds and as a date, up to a maximum", async () => {
    const { url } = await upstream([
      json({}, 503, { "retry-after": "7" }),
      json({}, 503, { "retry-after": new Date(Date.now() + 20_000).toUTCString() }),
      json({}, 503, { "retry-after": "86400" }),
      json({ ok: 3 }),
    ]);
    const { feed, waits } = open(url);
    expect(await feed.get(call, reply)).toEqual({ ok: 3 });
    expect(waits[0]).toBe(7000);
    expect(waits[1]).toBeGreaterThan(18_000);
    expect(waits[2]).toBe(120_000);
  });

  test("a 429 with Retry-After pauses every call of the route", async () => {
    const { url, seen } = await upstream([json({}, 429, { "retry-after": "1" }), json({ ok: 1 })]);
    const { feed } = open(url, { clock: systemClock });
    const first = feed.get(call, reply);
    await expect.poll(() => seen.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([first, feed.get(call, reply)]);
    for (const { at } of seen.slice(1)) expect(at - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(950);
  });

  test("pauses when the headers report no remaining calls", async () => {
    const { url, seen } = await upstream([
      json({ ok: 1 }, 200, { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1" }),
      json({ ok: 2 }),
    ]);
    const { feed } = open(url);
    await feed.get(call, reply);
    await feed.get(call, reply);
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(900);
  });

  test("retries after 500s, partial bodies, cut connections and text in place of JSON, for POST too", async () => {
    const { url, seen } = await upstream([
      json({}, 500),
      (_request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
        response.write('{"ok":');
        setTimeout(() => response.destroy(), 20);
      },
      (request) => request.socket.destroy(),
      (_request, response) => response.end("<html>busy</html>"),
      json({ ok: 4 }),
    ]);
    const { feed } = open(url);
    expect(await feed.post({ ...call, body: { ids: ["1"] } }, reply)).toEqual({ ok: 4 });
    expect(seen.map(({ body }) => body)).toEqual(Array.from({ length: 5 }, () => '{"ids":["1"]}'));
  });

  test("times out on a slow response and retries", async () => {
    const { url, seen } = await upstream([() => undefined, json({ ok: 5 })]);
    const { feed } = open(url, { timeoutMs: 100 });
    expect(await feed.get(call, reply)).toEqual({ ok: 5 });
    expect(seen).toHaveLength(2);
  });

  test("throws after its last attempt, and immediately for an error on our side", async () => {
    const down = await upstream([json({}, 502)]);
    await expect(open(down.url, { attempts: 3 }).feed.get(call, reply)).rejects.toMatchObject({
      name: "UpstreamRefused",
      status: 502,
    });
    expect(down.seen).toHaveLength(3);
    const strict = await upstream([json({ error: "bad" }, 400)]);
    await expect(open(strict.url).feed.get(call, reply)).rejects.toMatchObject({
      name: "UpstreamRefused",
      status: 400,
    });
    expect(strict.seen).toHaveLength(1);
  });

  test("returns undefined for a status declared as absent", async () => {
    const { url } = await upstream([json({}, 404)]);
    expect(await open(url).feed.get({ ...call, absentOn: [404] }, reply)).toBeUndefined();
  });

  test("parks the entire page if its shape is wrong, and names the field", async () => {
    const page = [{ price: 0.5 }, { price: "half" }];
    const { url } = await upstream([json(page)]);
    const { feed, parked, registry } = open(url);
    await expect(feed.get(call, z.array(z.object({ price: z.number() })))).rejects.toMatchObject({
      name: "UpstreamChanged",
      field: "[1].price",
      sample: '"half"',
    });
    expect(parked).toMatchObject([{ stream: "trades", host: "venue", path: "/trades", field: "[1].price" }]);
    expect(JSON.parse(parked[0]?.body ?? "")).toEqual(page);
    expect(await registry.metrics()).toContain(
      'almanac_ingest_upstream_changed_total{host="venue",route="all",stream="trades"} 1',
    );
  });

  test("rejects a body over the size limit", async () => {
    const { url } = await upstream([json({ ok: 1, filler: "x".repeat(5000) })]);
    await expect(open(url, { maxBytes: 1000, attempts: 1 }).feed.get(call, reply)).rejects.toThrow("over 1000 bytes");
  });

  test("stops immediately when aborted", async () => {
    const { url } = await upstream([() => undefined]);
    const stop = new AbortController();
    const requested = open(url, { signal: stop.signal }).feed.get(call, reply);
    setTimeout(() => stop.abort(new Error("stopping")), 50);
    await expect(requested).rejects.toThrow("stopping");
  });

  test("slows down when responses take much longer than before", async () => {
    const quick = Array.from({ length: 25 }, () => json({ ok: 1 }));
    const { url } = await upstream([...quick, slow]);
    const { feed, budget } = open(url, { isSlow: (_route, ms) => ms > 25 });
    for (let cycle = 0; cycle < 26; cycle += 1) await feed.get(call, reply);
    expect(budget.use()["all"]?.factor).toBeCloseTo(0.8);
  });
});

test("reports a route as slow when its responses take several times and much longer than before", () => {
  const isSlow = createLatencyWatch();
  for (let count = 0; count < 50; count += 1) expect(isSlow("series", 3000) || isSlow("books", 100)).toBe(false);
  const verdicts = Array.from({ length: 20 }, () => isSlow("books", 2000));
  expect([verdicts[0], verdicts.at(-1)]).toEqual([false, true]);
  expect(isSlow("series", 3000)).toBe(false);
});

describe("feed over JSON-RPC", () => {
  test("sends calls made at the same time as one batch and matches responses by id", async () => {
    const { url, seen } = await upstream([node]);
    const { feed } = open(url);
    const results = await Promise.allSettled([
      feed.rpc("eth_blockNumber", [], z.string()),
      feed.rpc("eth_fail", [], z.string()),
      feed.rpc("eth_chainId", [], z.string()),
    ]);
    expect(seen).toHaveLength(1);
    expect(results).toMatchObject([
      { status: "fulfilled", value: "0x0" },
      { status: "rejected", reason: { name: "RpcError", code: -32000, method: "eth_fail" } },
      { status: "fulfilled", value: "0x2" },
    ]);
  });

  test("waits and retries when the node is busy, then passes its error code on", async () => {
    const { url, seen } = await upstream([busy, node]);
    expect(await open(url).feed.rpc("eth_blockNumber", [], z.string())).toBe("0x0");
    expect(seen).toHaveLength(2);
    const always = await upstream([busy]);
    await expect(open(always.url).feed.rpc("eth_getLogs", [], z.string())).rejects.toMatchObject({ code: -32005 });
  });

  test("parks a result with a wrong shape", async () => {
    const { url } = await upstream([node]);
    const { feed, parked } = open(url);
    await expect(feed.rpc("eth_blockNumber", [], z.number())).rejects.toMatchObject({ name: "UpstreamChanged" });
    expect(parked).toMatchObject([{ path: "eth_blockNumber []", body: '"0x0"' }]);
  });
});
