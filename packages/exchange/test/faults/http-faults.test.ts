import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { get, type OpenStorm, openStorm, read, rpc } from "./open-storm.ts";

let storm: OpenStorm;
beforeAll(async () => {
  storm = await openStorm();
});
afterEach(() => storm.clear());
afterAll(() => storm.exchange.close());

type Row = Record<string, unknown>;
const urls = () => storm.exchange.urls;
let requests = 0;
const trades = (query = ""): string => {
  requests += 1;
  return `${urls().data_url}/v2/trades?limit=50&_=${requests}${query}`;
};
const tags = (query = ""): string => `${urls().gamma_url}/tags${query}`;
const head = { jsonrpc: "2.0", id: 7, method: "eth_blockNumber", params: [] };

test("refuse returns 429 in each endpoint's own format, with Retry-After only if configured", async () => {
  await storm.set([{ kind: "refuse", retry_after_seconds: 4 }]);
  const data = await get(trades());
  expect(data).toMatchObject({ status: 429, headers: { "retry-after": "4" } });
  expect(JSON.parse(data.text)).toMatchObject({ code: "rate_limited", retryable: true });
  expect(await get(`${urls().gamma_url}/markets/keyset`)).toMatchObject({ status: 429, text: "error code: 1015" });
  expect(JSON.parse((await get(`${urls().kalshi_url}/markets`)).text)).toEqual({
    error: { code: "too_many_requests", message: "too many requests" },
  });
  expect((await get(`${urls().clob_url}/books`)).status).toBe(429);
  const node = await fetch(urls().rpc_url, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  expect(node.status).toBe(429);
  await storm.set([{ kind: "refuse" }]);
  expect((await get(trades())).headers["retry-after"]).toBeUndefined();
});

test("refuse can return a node's rate limit as a JSON-RPC error for each request of a batch", async () => {
  await storm.set([{ kind: "refuse", endpoint: "rpc", rpc_as: "json_rpc", path: "eth_blockNumber" }]);
  expect(await rpc(urls().rpc_url, [head, { ...head, id: 8 }])).toEqual([
    { jsonrpc: "2.0", id: 7, error: { code: -32005, message: "limit exceeded" } },
    { jsonrpc: "2.0", id: 8, error: { code: -32005, message: "limit exceeded" } },
  ]);
  expect(await rpc(urls().rpc_url, { ...head, method: "eth_getLogs" })).toMatchObject({ error: { code: -32602 } });
});

test("fail returns the configured statuses as JSON or as the edge's HTML page", async () => {
  await storm.set([{ kind: "fail", endpoint: "data", statuses: [503], retry_after_seconds: 1 }]);
  const failed = await get(trades());
  expect(failed).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  expect(JSON.parse(failed.text)).toMatchObject({ code: "request_timeout" });
  await storm.set([{ kind: "fail", endpoint: "gamma", statuses: [502], html: true }]);
  const page = await get(`${urls().gamma_url}/events/keyset`);
  expect(page.status).toBe(502);
  expect(page.headers["content-type"]).toContain("text/html");
  expect(page.text).toContain("502 Bad Gateway");
});

async function round(seed: number): Promise<number[]> {
  await storm.set([{ kind: "fail", endpoint: "gamma", share: 0.4, statuses: [500, 504] }], seed);
  const seen: number[] = [];
  for (let turn = 0; turn < 40; turn += 1) seen.push((await get(tags())).status);
  const failed = seen.filter((status) => status !== 200).length;
  expect((await storm.status()).injected).toEqual({ fail: { gamma: failed } });
  return seen;
}

test("a share of requests fails: the same ones for the same seed, with correct injection counts", async () => {
  const first = await round(5);
  expect(new Set(first)).toEqual(new Set([200, 500, 504]));
  expect(await round(5)).toEqual(first);
  expect(await round(6)).not.toEqual(first);
});

test("count limits the number of injections, and path restricts a fault to matching requests", async () => {
  await storm.set([{ kind: "fail", endpoint: "data", count: 2, path: "/v2/trades", statuses: [500] }]);
  expect((await get(`${urls().data_url}/v2/activity`)).status).toBe(400);
  const seen = [];
  for (let turn = 0; turn < 4; turn += 1) seen.push((await get(trades())).status);
  expect(seen).toEqual([500, 500, 200, 200]);
});

test("hang holds a request until the client times out or the fault is cleared", async () => {
  await storm.set([{ kind: "hang", endpoint: "gamma" }]);
  expect((await get(tags(), 300)).error).toBe("TIMEOUT");
  const waiting = get(tags());
  await expect.poll(async () => (await storm.status()).injected).toEqual({ hang: { gamma: 2 } });
  await storm.clear();
  expect((await waiting).error).toBe("ECONNRESET");
  expect((await get(tags())).status).toBe(200);
});

test("slow delays a response past that of a later request, and it still arrives complete", async () => {
  const { text } = await get(tags());
  await storm.set([{ kind: "slow", endpoint: "gamma", delay_ms: 400, jitter_ms: 100, count: 1 }]);
  const slow = get(tags());
  await expect.poll(async () => (await storm.status()).injected).toEqual({ slow: { gamma: 1 } });
  const first = await Promise.race([slow.then(() => "slow"), get(tags()).then(() => "quick")]);
  expect(first).toBe("quick");
  expect(await slow).toMatchObject({ status: 200, text });
});

test("half_body cuts a body but not its Content-Length; reset closes the connection before a response", async () => {
  const whole = await get(`${urls().gamma_url}/markets/keyset?limit=5`);
  await storm.set([{ kind: "half_body", endpoint: "gamma" }]);
  const half = await get(`${urls().gamma_url}/markets/keyset?limit=5`);
  expect(half).toMatchObject({ status: 200, error: "ECONNRESET" });
  expect(half.headers["content-length"]).toBe(String(Buffer.byteLength(whole.text)));
  expect(whole.text.startsWith(half.text) && half.text.length > 0 && half.text.length < whole.text.length).toBe(true);
  await storm.set([{ kind: "reset", endpoint: "gamma" }]);
  expect(await get(`${urls().gamma_url}/markets/keyset`)).toMatchObject({ status: 0, error: "ECONNRESET" });
});

test("garbage returns 200 with a challenge page that the CDN does not cache", async () => {
  await storm.set([{ kind: "garbage", endpoint: "data", count: 1 }]);
  const url = trades();
  const page = await get(url);
  expect(page.status).toBe(200);
  expect(page.text).toContain("Just a moment");
  expect(JSON.parse((await get(url)).text)).toHaveProperty("data");
});

test("shuffle reorders the rows of a page, and duplicate_rows doubles each row", async () => {
  const page = trades();
  const rows = (await read<{ data: Row[] }>(`${page}1`)).data;
  expect(rows.length).toBeGreaterThan(5);
  const keys = (list: Row[]) => list.map((row) => JSON.stringify(row));
  await storm.set([{ kind: "shuffle", endpoint: "data" }]);
  const shuffled = (await read<{ data: Row[] }>(`${page}2`)).data;
  expect(keys(shuffled)).not.toEqual(keys(rows));
  expect(keys(shuffled).sort()).toEqual(keys(rows).sort());
  await storm.set([{ kind: "duplicate_rows", endpoint: "data" }]);
  const doubled = (await read<{ data: Row[] }>(`${page}3`)).data;
  expect(keys(doubled)).toEqual(keys(rows.flatMap((row) => [row, row])));
});

interface KalshiPage {
  trades: { trade_id: string }[];
  cursor: string;
}

async function walk(most: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "";
  for (let page = 0; page < most; page += 1) {
    const answer = await read<KalshiPage>(`${urls().kalshi_url}/markets/trades?limit=10&cursor=${cursor}`);
    ids.push(...answer.trades.map((trade) => trade.trade_id));
    ({ cursor } = answer);
    if (cursor === "") break;
  }
  return ids;
}

test("repeat_page returns a page with its old cursor: a walk loops once and then continues", async () => {
  const plain = await walk(4);
  expect(plain).toHaveLength(40);
  await storm.set([{ kind: "repeat_page", endpoint: "kalshi", count: 1 }]);
  expect(await walk(5)).toEqual([...plain.slice(0, 10), ...plain.slice(0, 10), ...plain.slice(10, 40)].slice(0, 50));
  expect((await storm.status()).injected).toEqual({ repeat_page: { kalshi: 1 } });
});

test("skip_page skips a page of a walk by cursor or by offset", async () => {
  const plain = await walk(4);
  await storm.set([{ kind: "skip_page", endpoint: "kalshi", count: 1 }]);
  expect(await walk(3)).toEqual(plain.slice(10, 40));
  await storm.clear();
  const second = await read<Row[]>(tags("?limit=2&offset=2"));
  const third = await read<Row[]>(tags("?limit=2&offset=4"));
  expect(third).toHaveLength(2);
  await storm.set([{ kind: "skip_page", endpoint: "gamma" }]);
  expect(await read<Row[]>(tags("?limit=2&offset=2"))).toEqual(third);
  expect(third).not.toEqual(second);
});

test("skip_page with page_rows shortens the page and skips no more than that many rows", async () => {
  const [, second, ...others] = await walk(2);
  await storm.set([{ kind: "skip_page", endpoint: "kalshi", count: 1, page_rows: 1 }]);
  const [passed, ...after] = await walk(2);
  expect(passed).toEqual(second);
  expect(after.slice(0, 5)).toEqual(others.slice(0, 5));
});

async function requested(change: object): Promise<Row[]> {
  await storm.set([{ kind: "drift", endpoint: "data", path: "/v2/trades", field: "price", ...change }]);
  return (await read<{ data: Row[] }>(trades())).data;
}

test("two drift faults on the same field change it once", async () => {
  const retype = { kind: "drift", endpoint: "data", path: "/v2/trades", field: "price", change: "retype" };
  await storm.set([retype, retype]);
  const { data } = await read<{ data: Row[] }>(trades());
  expect(data.every((row) => typeof row["price"] === "string")).toBe(true);
});

test("drift renames, removes, nulls or retypes a field, in all rows or a share of them", async () => {
  expect(Object.keys((await requested({ change: "rename" }))[0] ?? {})).toContain("price_v2");
  expect(Object.keys((await requested({ change: "rename", to: "px" }))[0] ?? {})).toContain("px");
  expect((await requested({ change: "remove" })).some((row) => "price" in row)).toBe(false);
  expect((await requested({ change: "null" })).every((row) => row["price"] === null)).toBe(true);
  expect((await requested({ change: "retype" })).every((row) => typeof row["price"] === "string")).toBe(true);
  const some = (await requested({ change: "remove", rows_share: 0.5 })).filter((row) => "price" in row).length;
  expect(some).toBeGreaterThan(5);
  expect(some).toBeLessThan(45);
});

test("drift changes a field of a log and of an object nested in a row", async () => {
  const filter = { fromBlock: `0x${(storm.exchange.world.chain.head() - 200).toString(16)}`, toBlock: "latest" };
  await storm.set([
    { kind: "drift", endpoint: "rpc", path: "eth_getLogs", field: "logIndex", change: "remove" },
    { kind: "drift", endpoint: "gamma", path: "/events/keyset", field: "markets.conditionId", change: "null" },
  ]);
  const logs = await rpc<{ result: Row[] }>(urls().rpc_url, { ...head, method: "eth_getLogs", params: [filter] });
  expect(logs.result.length).toBeGreaterThan(0);
  expect(logs.result.some((log) => "logIndex" in log)).toBe(false);
  const { events } = await read<{ events: { markets: Row[] }[] }>(`${urls().gamma_url}/events/keyset?limit=3`);
  expect(events.flatMap((event) => event.markets).every((market) => market["conditionId"] === null)).toBe(true);
});

test("skew shifts the server's clock but not the world's timestamps", async () => {
  const plain = (await read<{ data: Row[] }>(trades())).data[0];
  await storm.set([{ kind: "skew", offset_seconds: -3600 }]);
  const answer = await get(trades());
  expect(Date.parse(answer.headers.date ?? "")).toBeLessThan(Date.now() - 3_590_000);
  expect((JSON.parse(answer.text) as { data: Row[] }).data[0]).toEqual(plain);
});

test("responses have the same bytes before a fault plan is set and after it is cleared", async () => {
  const url = `${urls().gamma_url}/markets/keyset?limit=20`;
  const before = (await get(url)).text;
  await storm.set([{ kind: "shuffle" }, { kind: "drift", field: "id", change: "remove" }]);
  expect((await get(url)).text).not.toBe(before);
  await storm.clear();
  expect((await get(url)).text).toBe(before);
  expect(await storm.status()).toEqual({ plan: null, faults: [], injected: {} });
});
