import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { get, openLine, type OpenStorm, openStorm, rpc } from "./open-storm.ts";

let storm: OpenStorm;
beforeAll(async () => {
  storm = await openStorm();
});
afterEach(() => storm.clear());
afterAll(() => storm.exchange.close());

interface Answer {
  result?: unknown;
  error?: { code: number; message: string };
}

const hex = (number: number): string => `0x${number.toString(16)}`;
const head = (): number => storm.exchange.world.chain.head();
const call = (method: string, ...params: unknown[]): Promise<Answer> =>
  rpc(storm.exchange.urls.rpc_url, { jsonrpc: "2.0", id: 1, method, params });
const logsOf = async (from: number, to = from): Promise<{ transactionHash: string; logIndex: string }[]> =>
  (await call("eth_getLogs", { fromBlock: hex(from), toBlock: hex(to) })).result as never;
const newestTransaction = (): string | undefined =>
  storm.exchange.world.polymarket.matches.findLast(({ block_number }) => block_number <= head() - 8)?.tx_hash;
const injected = async () => (await storm.status()).injected;

test("lag reports an older head and rejects ranges beyond it with invalid block range params", async () => {
  const newest = (await call("eth_getBlockByNumber", hex(head()), false)).result as { hash: string };
  await storm.set([{ kind: "lag", blocks: 8 }]);
  expect((await call("eth_blockNumber")).result).toBe(hex(head() - 8));
  const latest = (await call("eth_getBlockByNumber", "latest", false)).result as { number: string };
  expect(latest.number).toBe(hex(head() - 8));
  expect((await call("eth_getBlockByNumber", hex(head()), false)).result).toBeNull();
  expect((await call("eth_getLogs", { fromBlock: hex(head() - 20), toBlock: hex(head() - 7) })).error).toEqual({
    code: -32000,
    message: "invalid block range params",
  });
  expect((await call("eth_getLogs", { blockHash: newest.hash })).error?.message).toBe("unknown block");
  const whole = await call("eth_getLogs", { fromBlock: hex(head() - 20), toBlock: hex(head() - 8) });
  expect(whole.error).toBeUndefined();
  expect(await injected()).toEqual({ lag: { rpc: 5 } });
  expect((await call("eth_getTransactionReceipt", newestTransaction())).result).not.toBeNull();
  await storm.set([{ kind: "lag", blocks: 5000 }]);
  expect((await call("eth_getTransactionReceipt", newestTransaction())).result).toBeNull();
});

test("lag with a share affects only some responses", async () => {
  await storm.set([{ kind: "lag", blocks: 3, share: 0.5 }]);
  const heads = await Promise.all(Array.from({ length: 40 }, () => call("eth_blockNumber")));
  expect(new Set(heads.map(({ result }) => result))).toEqual(new Set([hex(head()), hex(head() - 3)]));
});

test("prune rejects log ranges that reach further back than its number of blocks", async () => {
  await storm.set([{ kind: "prune", blocks: 100 }]);
  expect((await call("eth_getLogs", { fromBlock: hex(head() - 101), toBlock: hex(head()) })).error?.message).toContain(
    "History has been pruned",
  );
  expect((await call("eth_getLogs", { fromBlock: hex(head() - 100), toBlock: hex(head()) })).error).toBeUndefined();
});

test("reorg repeats at its interval, and the truth reports the new positions of moved matches", async () => {
  const before = (await call("eth_getBlockByNumber", hex(head()), false)).result as { hash: string };
  await storm.set([{ kind: "reorg", depth: 32, every_seconds: 0.2, count: 3, moved_share: 1, dropped_share: 0 }]);
  await expect.poll(injected).toEqual({ reorg: { rpc: 3 } });
  const after = (await call("eth_getBlockByNumber", hex(head()), false)).result as { hash: string };
  expect(after.hash).not.toBe(before.hash);
  const { clock, world, urls } = storm.exchange;
  clock.jumpTo(clock.now() + 60_000);
  world.advanceTo(clock.now());
  const since = world.polymarket.matches.at(-500)?.seq ?? 0;
  const reply = await fetch(`${urls.control_url}/truth/fills?limit=5000&since_sequence=${since}`);
  type Row = { tx_hash: string; block_number: number; legs: { log_index: number }[]; dropped: boolean };
  const { rows } = (await reply.json()) as { rows: Row[] };
  const home = new Map(world.polymarket.matches.map((match) => [match.tx_hash as string, match.block_number]));
  const moved = rows.filter((row) => row.block_number !== home.get(row.tx_hash));
  expect(moved.length).toBeGreaterThan(0);
  for (const row of moved) {
    const own = (await logsOf(row.block_number)).filter((log) => log.transactionHash === row.tx_hash);
    const places = new Set(own.map((log) => Number(log.logIndex)));
    expect(row.legs.every((leg) => places.has(leg.log_index))).toBe(true);
  }
});

test("a match dropped by a reorg is absent from Data API and chain, and marked as dropped in the truth", async () => {
  const { clock, world, urls } = storm.exchange;
  const known = world.polymarket.matches.length;
  clock.jumpTo(clock.now() + 60_000);
  world.advanceTo(clock.now());
  await storm.set([{ kind: "reorg", depth: 30, moved_share: 0, dropped_share: 1 }]);
  await expect.poll(injected).toEqual({ reorg: { rpc: 1 } });
  const since = world.polymarket.matches[known]?.seq;
  const reply = await fetch(`${urls.control_url}/truth/fills?limit=5000&since_sequence=${since}`);
  const { rows } = (await reply.json()) as { rows: { tx_hash: string; dropped: boolean }[] };
  const dropped = rows.filter((row) => row.dropped);
  expect(dropped.length).toBeGreaterThan(0);
  clock.jumpTo(clock.now() + 10_000);
  world.advanceTo(clock.now());
  const page = JSON.parse((await get(`${urls.data_url}/v2/trades?limit=1000&_=after-the-drop`)).text) as {
    data: { transaction_hash: string }[];
  };
  const shown = new Set(page.data.map((row) => row.transaction_hash));
  expect(shown.size).toBeGreaterThan(0);
  const standing = new Set((await logsOf(head() - 200, head())).map((log) => log.transactionHash));
  expect(page.data.some((row) => standing.has(row.transaction_hash))).toBe(true);
  for (const { tx_hash } of dropped) {
    expect(shown.has(tx_hash)).toBe(false);
    expect(standing.has(tx_hash)).toBe(false);
  }
});

test("restart takes an endpoint down and brings it back on the same port", async () => {
  const { gamma_url, ws_url } = storm.exchange.urls;
  const line = await openLine(ws_url);
  await storm.set([{ kind: "restart", endpoint: ["gamma", "ws"], down_seconds: 0.5 }]);
  await expect.poll(() => line.closed).toBe(1006);
  expect((await get(`${gamma_url}/tags`)).error).toBe("ECONNREFUSED");
  expect((await openLine(ws_url)).error).toContain("ECONNREFUSED");
  await expect.poll(async () => (await get(`${gamma_url}/tags`)).status).toBe(200);
  const again = await openLine(ws_url);
  expect(again.error).toBeUndefined();
  again.socket.terminate();
  expect(await injected()).toEqual({ restart: { gamma: 1, ws: 1 } });
});

test("an exchange can be closed while an endpoint is down", async () => {
  const other = await openStorm();
  await other.set([{ kind: "restart", down_seconds: 60 }]);
  await expect.poll(async () => (await get(`${other.exchange.urls.gamma_url}/tags`)).error).toBe("ECONNREFUSED");
  await other.exchange.close();
});

test("an invalid fault plan is rejected with a message that names the problem", async () => {
  await expect(storm.set([{ kind: "freeze", endpoint: "gamma" }])).rejects.toThrow("freeze does not apply to gamma");
  await expect(storm.set([{ kind: "flood" }])).rejects.toThrow("Invalid discriminator value");
  await expect(storm.set([{ kind: "refuse", share: 2 }])).rejects.toThrow("faults[0].share");
  expect((await storm.status()).plan).toBeNull();
});

test("add=true keeps the existing faults, and each fault has its own start time", async () => {
  await storm.set([{ kind: "fail", endpoint: "clob", statuses: [500] }]);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ faults: [{ kind: "fail", endpoint: "gamma", statuses: [502], after_seconds: 3600 }] });
  await fetch(`${storm.exchange.urls.control_url}/faults?add=true`, { method: "POST", headers, body });
  expect((await get(`${storm.exchange.urls.clob_url}/books`)).status).toBe(500);
  expect((await get(`${storm.exchange.urls.gamma_url}/tags`)).status).toBe(200);
  expect((await storm.status()).faults.map(({ active }) => active)).toEqual([true, false]);
});
