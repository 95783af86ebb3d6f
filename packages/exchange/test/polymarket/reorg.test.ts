import type { Hex } from "viem";
import { toEventSelector } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exchangeV2Abi } from "../../src/polymarket/chain/events.ts";
import { openPaper, type Paper } from "./paper.ts";

interface Block {
  number: Hex;
  hash: Hex;
  parentHash: Hex;
  timestamp: Hex;
  transactions: Hex[];
}
interface Log {
  transactionHash: Hex;
  logIndex: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  blockTimestamp: Hex;
  transactionIndex: Hex;
  removed: boolean;
}

const filled = toEventSelector(exchangeV2Abi[0]);

const still = { moved_share: 0, dropped_share: 0 };

let paper: Paper;
beforeAll(async () => {
  paper = await openPaper();
});
afterAll(() => paper.served.close());

async function call<T>(method: string, ...params: unknown[]): Promise<T> {
  const { body } = await paper.post<{ result: T }>("rpc", "/", { jsonrpc: "2.0", id: 1, method, params });
  return body.result;
}

async function lastBlocks(count: number): Promise<Block[]> {
  const head = paper.world.chain.head();
  const numbers = Array.from({ length: count }, (_, index) => `0x${(head - count + 1 + index).toString(16)}`);
  return Promise.all(numbers.map((number) => call<Block>("eth_getBlockByNumber", number, false)));
}

const lastLogs = (count: number): Promise<Log[]> =>
  call<Log[]>("eth_getLogs", {
    fromBlock: `0x${(paper.world.chain.head() - count + 1).toString(16)}`,
    topics: [filled],
  });

const logsFrom = (from: number): Promise<Log[]> => call<Log[]>("eth_getLogs", { fromBlock: `0x${from.toString(16)}` });

const hashes = (logs: Log[]): string[] => logs.map((log) => log.transactionHash).sort();

test("a reorg that moves nothing keeps heights, times and transactions, reordered, and links to the rest", async () => {
  // Without recent trades there is nothing to reorder.
  for (let minute = 0; minute < 60 && (await lastLogs(20)).length < 3; minute += 1) paper.pass(60_000);
  const before = await lastBlocks(40);
  const logsBefore = await lastLogs(40);
  expect(paper.served.reorg(20, still)).toBe(20);
  const after = await lastBlocks(40);
  expect(after.slice(0, 20)).toEqual(before.slice(0, 20));
  for (const [index, block] of after.slice(20).entries()) {
    const old = before[20 + index];
    expect(block.hash).not.toBe(old?.hash);
    expect([block.number, block.timestamp]).toEqual([old?.number, old?.timestamp]);
    expect([...block.transactions].sort()).toEqual([...(old?.transactions ?? [])].sort());
  }
  expect(after.every((block, index) => index === 0 || block.parentHash === after[index - 1]?.hash)).toBe(true);
  const logsAfter = await lastLogs(40);
  expect(hashes(logsAfter)).toEqual(hashes(logsBefore));
  expect(logsAfter.map((log) => log.blockHash)).not.toEqual(logsBefore.map((log) => log.blockHash));
  for (const log of logsAfter)
    expect(log.blockHash).toBe(after.find((block) => block.number === log.blockNumber)?.hash);
});

test("the hash of a replaced block is unknown, and that of its replacement is found", async () => {
  const [old] = await lastBlocks(1);
  paper.served.reorg(1);
  const [now] = await lastBlocks(1);
  const ask = async (blockHash: Hex | undefined) =>
    (await paper.post<object>("rpc", "/", { jsonrpc: "2.0", id: 1, method: "eth_getLogs", params: [{ blockHash }] }))
      .body;
  expect(await ask(old?.hash)).toMatchObject({ error: { code: -32000, message: "unknown block" } });
  expect(await ask(now?.hash)).toMatchObject({ result: [] });
  paper.pass(20_000);
  const later = await lastBlocks(15);
  expect(later.every((block, index) => index === 0 || block.parentHash === later[index - 1]?.hash)).toBe(true);
});

test("a reorg is at most 32 blocks deep", () => {
  expect(paper.served.reorg(500)).toBe(32);
});

interface Round {
  moved: number;
  gone: number;
  lost: number;
}

/** Advances a minute, reorganises it, and checks the block of every transaction at once and ten seconds later. */
async function roundOfMoves(): Promise<Round> {
  paper.pass(64_000);
  const { world, served } = paper;
  const from = world.chain.head() - 31;
  const blockOf = new Map((await logsFrom(from)).map((log) => [log.transactionHash, Number(log.blockNumber)]));
  expect(served.reorg(32, { moved_share: 0.5, dropped_share: 0.4 })).toBe(32);
  const after = await logsFrom(from);
  await expectWhole(after);
  const standing = new Map(after.map((log) => [log.transactionHash, Number(log.blockNumber)]));
  const gone = [...blockOf.keys()].filter((hash) => !standing.has(hash));
  const lost = gone.filter((hash) => served.chain.placeOf(hash, blockOf.get(hash) ?? 0) === null);
  paper.pass(10_000);
  const later = new Map((await logsFrom(from)).map((log) => [log.transactionHash, log]));
  expect(gone.filter((hash) => !later.has(hash)).sort()).toEqual(lost.sort());
  for (const [hash, home] of blockOf) {
    const place = served.chain.placeOf(hash, home);
    const log = later.get(hash);
    expect(place?.block_number).toBe(log && Number(log.blockNumber));
    expect(place?.block_ms).toBe(log && Number(log.blockTimestamp) * 1000);
    expect(place === null || place.block_number >= home).toBe(true);
  }
  const moved = [...standing].filter(([hash, number]) => number > (blockOf.get(hash) ?? number)).length;
  return { moved, gone: gone.length, lost: lost.length };
}

/** Expects every log in its block, at its transaction's index, with log indexes counting up from 0. */
async function expectWhole(logs: Log[]): Promise<void> {
  for (const [number, own] of Map.groupBy(logs, (log) => log.blockNumber)) {
    const block = await call<Block>("eth_getBlockByNumber", number, false);
    expect(own.every((log) => log.blockHash === block.hash && log.blockTimestamp === block.timestamp)).toBe(true);
    expect(own.map((log) => Number(log.logIndex))).toEqual(own.map((_, place) => place));
    expect(own.every((log) => block.transactions[Number(log.transactionIndex)] === log.transactionHash)).toBe(true);
  }
}

test("reorgs move some transactions to later blocks, remove some temporarily, some permanently", async () => {
  const sum: Round = { moved: 0, gone: 0, lost: 0 };
  for (let turn = 0; turn < 12; turn += 1) {
    const { moved, gone, lost } = await roundOfMoves();
    Object.assign(sum, { moved: sum.moved + moved, gone: sum.gone + gone, lost: sum.lost + lost });
  }
  expect(sum.moved).toBeGreaterThan(10);
  expect(sum.lost).toBeGreaterThan(3);
  expect(sum.gone).toBeGreaterThan(sum.lost);
});

const receiptOf = (hash: unknown): Promise<{ blockHash: Hex; blockNumber: Hex; logs: Log[] } | null> =>
  call("eth_getTransactionReceipt", hash);

test("a receipt names the block that a transaction is in, and is null once a reorg has dropped it", async () => {
  for (let minute = 0; minute < 60 && (await lastLogs(20)).length < 3; minute += 1) paper.pass(60_000);
  const logs = await lastLogs(20);
  const hash = logs[0]?.transactionHash;
  const before = await receiptOf(hash);
  expect(before).toMatchObject({ status: "0x1", blockHash: logs[0]?.blockHash, blockNumber: logs[0]?.blockNumber });
  expect(before?.logs.map(({ transactionHash }) => transactionHash)).toContain(hash);
  paper.served.reorg(20, still);
  const again = await receiptOf(hash);
  expect(again?.blockNumber).toBe(before?.blockNumber);
  expect(again?.blockHash).not.toBe(before?.blockHash);
  paper.served.reorg(20, { moved_share: 0, dropped_share: 1 });
  expect(await receiptOf(hash)).toBeNull();
  expect(await receiptOf("0x12")).toBeUndefined();
});
