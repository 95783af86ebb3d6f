import type { Hex } from "viem";
import { encodeAbiParameters, encodeEventTopics, numberToHex, padHex, parseAbi } from "viem/utils";
import { describe, expect, it } from "vitest";
import {
  eventTopics,
  exchangeContracts,
  exchangeEvents,
} from "../../../src/connectors/polymarket/chain/exchange-events.ts";
import { readPlace } from "../../../src/connectors/polymarket/chain/chain-place.ts";
import { type ChainLog, logWire } from "../../../src/connectors/polymarket/chain/logs.ts";
import { toChainFills } from "../../../src/connectors/polymarket/chain/to-chain-fills.ts";
import { toMicro } from "../../../src/connectors/polymarket/exact/values.ts";
import { polymarketTradesChainStream } from "../../../src/connectors/polymarket/trades-chain.ts";
import { polymarketFills } from "../../../src/tables/polymarket-fills.ts";
import { collect, memoryFeed, pullOptions } from "./memory-feed.ts";
import { absent, recordedJson } from "./recorded.ts";

const A = "0x00000000000000000000000000000000000000aa";
const B = "0x00000000000000000000000000000000000000bb";
const SECONDS = 1_780_000_000;
const hash = (index: number): Hex => padHex(numberToHex(index + 1), { size: 32 });

let nextIndex = 0;
const place = (block: number, tx: Hex) => ({
  blockNumber: numberToHex(block),
  blockHash: hash(block),
  transactionHash: tx,
  logIndex: numberToHex((nextIndex += 1)),
});

type V2 = {
  order: number;
  maker: Hex;
  taker: Hex;
  side: 0 | 1;
  token: bigint;
  made: bigint;
  took: bigint;
  fee?: bigint;
};

function filledV2(block: number, tx: Hex, fill: V2, address: Hex = exchangeContracts.v2) {
  const topics = encodeEventTopics({
    abi: parseAbi([exchangeEvents.filledV2]),
    eventName: "OrderFilled",
    args: { orderHash: hash(fill.order), maker: fill.maker, taker: fill.taker },
  });
  const types = ["uint8", "uint256", "uint256", "uint256", "uint256", "bytes32", "bytes32"].map((type) => ({ type }));
  const data = encodeAbiParameters(types, [
    fill.side,
    fill.token,
    fill.made,
    fill.took,
    fill.fee ?? 0n,
    hash(0),
    hash(0),
  ]);
  return { address, topics, data, ...place(block, tx) };
}

function matchedV2(block: number, tx: Hex, taker: V2, address: Hex = exchangeContracts.v2) {
  const topics = encodeEventTopics({
    abi: parseAbi([exchangeEvents.matchedV2]),
    eventName: "OrdersMatched",
    args: { takerOrderHash: hash(taker.order), takerOrderMaker: taker.maker },
  });
  const types = ["uint8", "uint256", "uint256", "uint256"].map((type) => ({ type }));
  return {
    address,
    topics,
    data: encodeAbiParameters(types, [taker.side, taker.token, taker.made, taker.took]),
    ...place(block, tx),
  };
}

type V1 = {
  order: number;
  maker: Hex;
  taker: Hex;
  gives: bigint;
  gets: bigint;
  made: bigint;
  took: bigint;
  fee: bigint;
};

function filledV1(block: number, tx: Hex, fill: V1) {
  const topics = encodeEventTopics({
    abi: parseAbi([exchangeEvents.filledV1]),
    eventName: "OrderFilled",
    args: { orderHash: hash(fill.order), maker: fill.maker, taker: fill.taker },
  });
  const types = ["uint256", "uint256", "uint256", "uint256", "uint256"].map((type) => ({ type }));
  const data = encodeAbiParameters(types, [fill.gives, fill.gets, fill.made, fill.took, fill.fee]);
  return { address: exchangeContracts.v1, topics, data, ...place(block, tx) };
}

const fillsOf = (logs: readonly unknown[]) =>
  toChainFills(
    logs.map((log) => logWire.parse(log)),
    () => SECONDS,
  );

describe("topics", () => {
  it("equal those of the deployed contracts (reference/polymarket.md §8.2)", () => {
    expect(eventTopics).toEqual({
      filledV2: "0xd543adfd945773f1a62f74f0ee55a5e3b9b1a28262980ba90b1a89f2ea84d8ee",
      matchedV2: "0x174b3811690657c217184f89418266767c87e4805d09680c39fc9c031c0cab7c",
      filledV1: "0xd0a08e8c493f9c94f29311604c9de1b4e8c8d4c06bd0c789af57f2d65bfec0f6",
      matchedV1: "0x63bf4d16b7fa898ef4c4b2b6d90fd201e9c56313b65638af6088d149d2ce956c",
      refundedV1: "0xb608d2bf25d8b4b744ba23ce2ea9802ea955e216c064a62f42152fbf98958d24",
    });
  });
});

describe.skipIf(absent !== undefined)(`Polygon, recorded${absent === undefined ? "" : `: ${absent}`}`, () => {
  type Mint = {
    blockNumber: number;
    transactionHash: Hex;
    logs: {
      event: string;
      address: Hex;
      topics: Hex[];
      data: Hex;
      logIndex: number;
      decoded?: Record<string, string>;
    }[];
  };
  const mint = () => recordedJson<Mint>("onchain/v2_mint_match_tx_0x03beb7ad.json");
  const wire = (log: Mint["logs"][number], { blockNumber, transactionHash }: Mint): unknown => ({
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: numberToHex(blockNumber),
    blockHash: hash(1),
    transactionHash,
    logIndex: numberToHex(log.logIndex),
  });

  it("reads the maker's leg of the recorded mint, with its kind from OrdersMatched", () => {
    const tx = mint();
    const [maker, ...others] = fillsOf(
      tx.logs.filter((log) => log.event.startsWith("Order")).map((log) => wire(log, tx)),
    );
    expect(others).toEqual([]);
    expect(maker).toEqual({
      ts: "2026-05-28T20:26:40Z",
      tx_hash: tx.transactionHash,
      order_hash: "0x38ab5357e3d348f979b2e8a9fba721a8762437eb25c64278a41845d16e8f2a94",
      wallet: "0x86a29f88fcc23ea2b0e01b4e186b043e26c873a8",
      token_id: "12608433391396331155306434267062131916555683778362796330808483570875643412554",
      side: "BUY",
      role: "maker",
      match_kind: "mint",
      shares: "6.493505",
      usd: "4.493506",
      fee_usd: "0",
      block_number: 87909517,
      log_index: 977,
      source: "chain_v2",
      alike_number: 1,
    });
  });

  it("reads the taker's leg of that mint with the fee that was charged", () => {
    const tx = mint();
    const logs = tx.logs.filter((log) => log.event.startsWith("Order")).map((log) => wire(log, tx));
    const token = 12563185783471240613395907789703187646629710430787815068142892089727251994561n;
    const taker: V2 = {
      order: 9,
      maker: "0x4c818c1965c5e544a8046ccea1d9d5052cea4e45",
      taker: exchangeContracts.v2,
      side: 0,
      token,
      made: 1_999_999n,
      took: 6_493_505n,
      fee: 96_870n,
    };
    const filled = {
      ...filledV2(tx.blockNumber, tx.transactionHash, taker),
      blockHash: hash(1),
      logIndex: numberToHex(981),
    };
    const rows = fillsOf([...logs, filled]);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({
      role: "taker",
      match_kind: "mint",
      usd: "1.999999",
      shares: "6.493505",
      fee_usd: "0.09687",
    });
    expect(rows[1]?.["token_id"]).toBe(String(token));
    // Both bids together pay the cost of a set of the market's tokens: the match's profit is its fee, whoever wins.
    expect(rows.reduce((sum, row) => sum + toMicro(String(row["usd"])), 0n)).toBe(toMicro(String(rows[0]?.["shares"])));
    const charged = tx.logs.find(({ event }) => event === "FeeCharged")?.decoded?.["amount"];
    expect(toMicro(String(rows[1]?.["fee_usd"]))).toBe(BigInt(charged ?? 0));
  });

  it("keeps the recorded fees, sides and amounts exactly", () => {
    type Vector = {
      exchange: string;
      side: "BUY" | "SELL";
      makerAmountFilled: string;
      takerAmountFilled: string;
      fee: string;
      rate: number;
    };
    for (const vector of recordedJson<Vector[]>("onchain/v2_order_filled_fee_vectors.json")) {
      const address = vector.exchange === "neg_risk" ? exchangeContracts.v2NegRisk : exchangeContracts.v2;
      const [made, took] = [BigInt(vector.makerAmountFilled), BigInt(vector.takerAmountFilled)];
      const side = vector.side === "BUY" ? 0 : 1;
      const [row] = fillsOf([
        filledV2(
          90_000_000,
          hash(5),
          { order: 1, maker: A, taker: address, side, token: 7n, made, took, fee: BigInt(vector.fee) },
          address,
        ),
      ]);
      const [usd, shares] = side === 0 ? [made, took] : [took, made];
      expect(Number(row?.["usd"])).toBe(Number(usd) / 1e6);
      expect(Number(row?.["shares"])).toBe(Number(shares) / 1e6);
      expect(Number(row?.["fee_usd"])).toBe(Number(vector.fee) / 1e6);
      // The documented formula, rounded down to five decimals, agrees with the charged fee.
      const rate = BigInt(Math.round(vector.rate * 100));
      const fee = (rate * usd * (shares - usd)) / (shares * 100n) / 10n;
      expect(fee * 10n).toBe(BigInt(vector.fee));
    }
  });

  it("keeps recorded token ids through a log", () => {
    type Vectors = { vectors: { outcomes: { tokenId: string }[] }[] };
    const standard = recordedJson<Vectors>("onchain/token_id_vectors.json").vectors.flatMap((one) =>
      one.outcomes.map(({ tokenId }) => tokenId),
    );
    const negRisk = recordedJson<{ vectors: { tokenId: string }[] }>(
      "onchain/negrisk_token_id_vectors.json",
    ).vectors.map(({ tokenId }) => tokenId);
    expect(negRisk.length + standard.length).toBe(39);
    for (const tokenId of [...standard, ...negRisk]) {
      const [row] = fillsOf([
        filledV2(1, hash(2), { order: 3, maker: A, taker: B, side: 0, token: BigInt(tokenId), made: 1n, took: 2n }),
      ]);
      expect(row?.["token_id"]).toBe(tokenId);
    }
  });
});

describe("legs", () => {
  const tx = hash(77);
  const taker: V2 = {
    order: 1,
    maker: B,
    taker: exchangeContracts.v2,
    side: 0,
    token: 5n,
    made: 3_000_000n,
    took: 6_000_000n,
    fee: 10n,
  };
  const maker = (more: Partial<V2>): V2 => ({
    order: 2,
    maker: A,
    taker: B,
    side: 1,
    token: 5n,
    made: 2_000_000n,
    took: 1_000_000n,
    ...more,
  });
  const kinds = (...makers: V2[]) => {
    const logs = [...makers.map((one) => filledV2(8, tx, one)), filledV2(8, tx, taker), matchedV2(8, tx, taker)];
    return fillsOf(logs).map((row) => row["match_kind"]);
  };

  it("distinguishes complementary, mint and merge; a taker matched in several kinds is complementary", () => {
    expect(kinds(maker({}))).toEqual(["complementary", "complementary"]);
    expect(kinds(maker({ side: 0, token: 6n }))).toEqual(["mint", "mint"]);
    expect(kinds(maker({}), maker({ order: 3, side: 0, token: 6n }))).toEqual([
      "complementary",
      "mint",
      "complementary",
    ]);
    const seller: V2 = { ...taker, side: 1 };
    const logs = [filledV2(8, tx, maker({ token: 6n })), filledV2(8, tx, seller), matchedV2(8, tx, seller)];
    expect(fillsOf(logs).map((row) => row["match_kind"])).toEqual(["merge", "merge"]);
  });

  it("keeps two matches of one transaction apart", () => {
    const other: V2 = { ...taker, order: 11, token: 9n };
    const logs = [
      filledV2(8, tx, maker({})),
      filledV2(8, tx, taker),
      matchedV2(8, tx, taker),
      filledV2(8, tx, maker({ order: 12, side: 0, token: 10n })),
      filledV2(8, tx, other),
      matchedV2(8, tx, other),
    ];
    expect(fillsOf(logs).map((row) => row["match_kind"])).toEqual(["complementary", "complementary", "mint", "mint"]);
    expect(fillsOf(logs.toReversed()).map((row) => row["order_hash"])).toEqual(
      fillsOf(logs).map((row) => row["order_hash"]),
    );
  });

  it("reads V1 fees, in shares for a buy and in USD for a sell, less what the fee module refunded", () => {
    const buy = filledV1(8, tx, {
      order: 1,
      maker: A,
      taker: exchangeContracts.v1,
      gives: 0n,
      gets: 5n,
      made: 3_000_000n,
      took: 6_000_000n,
      fee: 120_000n,
    });
    const sell = filledV1(8, tx, {
      order: 2,
      maker: B,
      taker: A,
      gives: 5n,
      gets: 0n,
      made: 6_000_000n,
      took: 3_000_000n,
      fee: 7n,
    });
    const topics = encodeEventTopics({
      abi: parseAbi([exchangeEvents.refundedV1]),
      eventName: "FeeRefunded",
      args: { orderHash: hash(1), to: A, feeCharged: 20_000n },
    });
    const data = encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [5n, 100_000n]);
    const refund = { address: exchangeContracts.feeModule, topics, data, ...place(8, tx) };
    const [second, first] = fillsOf([sell, buy, refund]);
    expect(first).toMatchObject({
      side: "SELL",
      role: "maker",
      shares: "6",
      usd: "3",
      fee_usd: "0.000007",
      source: "chain_v1",
    });
    expect(second).toMatchObject({ side: "BUY", role: "taker", shares: "6", usd: "3", fee_usd: "0.01" });
  });

  it("deducts each refund from its own fill if a V1 order is filled twice in a transaction", () => {
    const sale = { order: 1, maker: A, taker: exchangeContracts.v1, gives: 5n, gets: 0n, made: 6_000_000n } as const;
    const sales = [
      filledV1(8, tx, { ...sale, took: 3_000_000n, fee: 50_000n }),
      filledV1(8, tx, { ...sale, took: 2_000_000n, fee: 40_000n }),
      filledV1(8, tx, { ...sale, took: 1_000_000n, fee: 30_000n }),
    ];
    const refundOf = (refund: bigint, feeCharged: bigint) => ({
      address: exchangeContracts.feeModule,
      topics: encodeEventTopics({
        abi: parseAbi([exchangeEvents.refundedV1]),
        eventName: "FeeRefunded",
        args: { orderHash: hash(1), to: A, feeCharged },
      }),
      data: encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [0n, refund]),
      ...place(8, tx),
    });
    const fees = fillsOf([...sales, refundOf(5_000n, 35_000n), refundOf(30_000n, 0n)]).map((row) => row["fee_usd"]);
    expect(fees).toEqual(["0.05", "0.035", "0"]);
  });

  it("omits logs removed by a reorganisation", () => {
    expect(fillsOf([{ ...filledV2(8, tx, taker), removed: true }])).toEqual([]);
  });
});

const logsOf = (block: number): ChainLog[] =>
  [
    filledV2(block, hash(block), { order: block, maker: A, taker: B, side: 0, token: 5n, made: 1n, took: 2n }),
  ] as unknown as ChainLog[];

const iso = (block: number): string => new Date((SECONDS + 2 * block) * 1000).toISOString();

const timed = (log: ChainLog): ChainLog =>
  Object.assign({}, log, { blockTimestamp: numberToHex(SECONDS + 2 * Number(log.blockNumber)) });

/**
 * A chain with a block every two seconds and one fill per block. `headers` are those requested after the first logs.
 */
function chainFeed(options: {
  first: number;
  head: number;
  maxLogs?: number;
  prunedBelow?: number;
  isTimed?: boolean;
}) {
  const ranges: [number, number][] = [];
  const headers: number[] = [];
  const feed = memoryFeed({
    rpc: (method, params) => {
      if (method === "eth_blockNumber") return numberToHex(options.head);
      if (method === "eth_getBlockByNumber") {
        const number = Number(params[0]);
        if (ranges.length > 0) headers.push(number);
        if (number < options.first || number > options.head) return null;
        const timestamp = numberToHex(SECONDS + 2 * number);
        return { number: numberToHex(number), hash: hash(number), parentHash: hash(number - 1), timestamp };
      }
      const { fromBlock, toBlock, blockHash } = params[0] as Record<"fromBlock" | "toBlock" | "blockHash", string>;
      if (blockHash !== undefined) return logsOf(Number(blockHash) - 1);
      const [from, to] = [Number(fromBlock), Number(toBlock)];
      if (from < (options.prunedBelow ?? 0)) throw new Error("History has been pruned for this block");
      if (to - from + 1 > (options.maxLogs ?? 10_000)) throw new Error("query returned more than 10000 results");
      ranges.push([from, to]);
      const length = Math.min(to, options.head) - from + 1;
      const logs = Array.from({ length }, (_, index) => logsOf(from + index)).flat();
      return options.isTimed === true ? logs.map(timed) : logs;
    },
  });
  return { feed, ranges, headers };
}

/** Returns the blocks marked at the end of a backfill of some blocks, on a chain of 5,000. */
const marksOf = async (from: number, to: number): Promise<number[]> => {
  const { feed } = chainFeed({ first: 0, head: 5000 });
  const range = { from: iso(from), to: iso(to) };
  const { cursor } = await collect(polymarketTradesChainStream.pull(pullOptions(feed, { range })));
  return readPlace(cursor)?.marks.map(({ number }) => number) ?? [];
};

/** Returns the batches of a backfill of some blocks, with or without times in logs, and its header requests. */
const walkPast = async (from: number, to: number, isTimed: boolean) => {
  nextIndex = 0;
  const { feed, headers } = chainFeed({ first: 0, head: 5000, maxLogs: 50, isTimed });
  const range = { from: iso(from), to: iso(to) };
  const { batches } = await collect(polymarketTradesChainStream.pull(pullOptions(feed, { range })));
  return { batches, headers };
};

describe("the chain walk", () => {
  it("follows the head, halves refused ranges and loses no block", async () => {
    const { feed, ranges } = chainFeed({ first: 0, head: 2000, maxLogs: 70 });
    const first = await collect(polymarketTradesChainStream.pull(pullOptions(feed)));
    const blocks = first.of(polymarketFills).map((row) => row["block_number"]);
    expect(blocks).toEqual(Array.from({ length: 601 }, (_, index) => 1400 + index));
    expect(ranges.every(([from, to]) => to - from < 70)).toBe(true);
    expect(first.cursor).toMatchObject({ block: 2000 });
    expect(first.batches.every((batch) => batch.since !== undefined)).toBe(true);
    const last = first.batches.at(-1);
    expect(last?.reached).toBe(new Date((SECONDS + 2 * 2000) * 1000).toISOString().replace(".000Z", "Z"));
    const again = await collect(
      polymarketTradesChainStream.pull(pullOptions(chainFeed({ first: 0, head: 2010 }).feed, { cursor: first.cursor })),
    );
    expect(again.of(polymarketFills)[0]?.["block_number"]).toBe(2001);
    expect(again.of(polymarketFills).at(-1)?.["block_number"]).toBe(2010);
  });

  it("gives every fill the time of its own block", async () => {
    const { feed } = chainFeed({ first: 0, head: 700 });
    const all = await collect(polymarketTradesChainStream.pull(pullOptions(feed)));
    for (const row of all.of(polymarketFills)) {
      expect(Date.parse(String(row["ts"]))).toBe((SECONDS + 2 * Number(row["block_number"])) * 1000);
    }
  });

  it("waits when the node lags behind the cursor", async () => {
    const { feed, ranges } = chainFeed({ first: 0, head: 100 });
    const all = await collect(
      polymarketTradesChainStream.pull(pullOptions(feed, { cursor: { block: 500, at: "2026-01-01T00:00:00Z" } })),
    );
    expect(ranges).toEqual([]);
    expect(all.cursor).toMatchObject({ block: 500 });
  });

  it("walks exactly the blocks of a past range and continues where it was cut off", async () => {
    const { feed } = chainFeed({ first: 100, head: 5000, maxLogs: 50 });
    const range = { from: iso(1000), to: iso(1200) };
    const all = await collect(polymarketTradesChainStream.pull(pullOptions(feed, { range })));
    const blocks = all.of(polymarketFills).map((row) => Number(row["block_number"]));
    expect([blocks.at(0), blocks.at(-1), new Set(blocks).size]).toEqual([1000, 1200, 201]);
    expect(all.batches.at(-1)).toMatchObject({ reached: range.to, since: range.from, isCaughtUp: true });
    const rest = await collect(polymarketTradesChainStream.pull(pullOptions(feed, { range, cursor: { block: 1150 } })));
    expect(rest.of(polymarketFills).map((row) => row["block_number"])).toEqual(
      Array.from({ length: 50 }, (_, index) => 1151 + index),
    );
  });

  it("takes the time of a finalised range's last block from its log if logs contain times", async () => {
    const [reported, requested] = [await walkPast(1000, 1200, true), await walkPast(1000, 1200, false)];
    expect(reported.batches).toEqual(requested.batches);
    // At its end a walk checks that the chain has not been reorganised.
    expect(reported.headers).toEqual([1200]);
    expect(new Set(requested.headers).size).toBe(201);
    const near = await walkPast(4420, 4520, true);
    expect(near.headers).toContain(4469);
    expect(near.batches).toEqual((await walkPast(4420, 4520, false)).batches);
  });

  it("keeps block marks of a past range only where blocks may still be replaced", async () => {
    // The last block of each range of 200 blocks, then of 400.
    expect(await marksOf(3800, 4100)).toEqual([3999, 4100]);
    expect(await marksOf(4500, 4563)).toEqual([4500, 4532, 4563]);
  });

  it("reports a gap if a past range begins before the first block", async () => {
    const { feed } = chainFeed({ first: 100, head: 5000 });
    const range = { from: iso(-900), to: iso(300) };
    const all = await collect(polymarketTradesChainStream.pull(pullOptions(feed, { range })));
    expect(all.batches[0]?.gap).toEqual({
      from: range.from,
      to: iso(100).replace(".000Z", "Z"),
      reason: "the node has no blocks before 100",
    });
    expect(all.of(polymarketFills)).toHaveLength(201);
  });

  it("reports the missing time when the node pruned its history, and continues", async () => {
    const { feed } = chainFeed({ first: 0, head: 9000, prunedBelow: 6000 });
    const cursor = { block: 1000, at: "2026-05-28T20:26:40Z" };
    const all = await collect(polymarketTradesChainStream.pull(pullOptions(feed, { cursor })));
    const gap = all.batches.find((batch) => batch.gap !== undefined)?.gap;
    expect(gap).toMatchObject({
      from: cursor.at,
      to: new Date((SECONDS + 12_000) * 1000).toISOString().replace(".000Z", "Z"),
    });
    expect(all.of(polymarketFills)[0]?.["block_number"]).toBe(6000);
    expect(all.of(polymarketFills).at(-1)?.["block_number"]).toBe(9000);
  });

  it("refuses malformed logs immediately, without retrying a smaller range", async () => {
    let requested = 0;
    const feed = memoryFeed({
      rpc: (method) => {
        if (method === "eth_blockNumber") return "0x64";
        if (method === "eth_getBlockByNumber")
          return { number: "0x10", hash: hash(1), parentHash: hash(0), timestamp: "0x10" };
        requested += 1;
        return [{ address: 5 }];
      },
    });
    await expect(collect(polymarketTradesChainStream.pull(pullOptions(feed)))).rejects.toThrow();
    expect(requested).toBe(1);
  });
});
