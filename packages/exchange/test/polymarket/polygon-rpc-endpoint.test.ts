import { createPublicClient, http, type Hex } from "viem";
import { decodeEventLog, pad, toEventSelector } from "viem/utils";
import { polygon } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADDRESSES } from "../../src/world/chain/addresses.ts";
import {
  conditionalTokensAbi,
  exchangeV1Abi,
  exchangeV2Abi,
  negRiskAdapterAbi,
} from "../../src/polymarket/chain/events.ts";
import { openPaper, type Paper } from "./paper.ts";

interface Answer {
  id: number | null;
  result?: unknown;
  error?: { code: number; message: string };
}
interface Log {
  address: Hex;
  topics: [Hex, ...Hex[]];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  transactionHash: Hex;
  logIndex: Hex;
}

const filledV1 = toEventSelector(exchangeV1Abi[0]);
const filledV2 = toEventSelector(exchangeV2Abi[0]);
const exchanges = [
  ADDRESSES.exchange_v1,
  ADDRESSES.neg_risk_exchange_v1,
  ADDRESSES.exchange_v2,
  ADDRESSES.neg_risk_exchange_v2,
];

let paper: Paper;
beforeAll(async () => {
  paper = await openPaper();
});
afterAll(() => paper.served.close());

async function call(method: string, ...params: unknown[]): Promise<Answer> {
  return (await paper.post<Answer>("rpc", "/", { jsonrpc: "2.0", id: 1, method, params })).body;
}

async function logs(filter: Record<string, unknown>): Promise<Log[]> {
  const { first_block } = paper.world.chain;
  const all: Log[] = [];
  for (let from = first_block; from <= paper.world.chain.head(); from += 10_000) {
    const to = Math.min(from + 9999, paper.world.chain.head());
    const { result, error } = await call("eth_getLogs", {
      ...filter,
      fromBlock: `0x${from.toString(16)}`,
      toBlock: `0x${to.toString(16)}`,
    });
    if (error !== undefined) throw new Error(error.message);
    all.push(...(result as Log[]));
  }
  return all;
}

const hex = (number: number): Hex => `0x${number.toString(16)}`;
const settled = () => paper.world.polymarket.matches.filter((match) => match.block_number <= paper.world.chain.head());

describe("OrderFilled", () => {
  test("is logged per maker order with the taker's wallet, then for the taker with the exchange itself", async () => {
    const filled = await logs({ address: exchanges, topics: [[filledV1, filledV2]] });
    const matches = settled();
    expect(filled).toHaveLength(matches.reduce((sum, match) => sum + match.makers.length + 1, 0));
    const match = matches.find((each) => each.makers.length > 2);
    const own = filled.filter((log) => log.transactionHash === match?.tx_hash);
    const parties = own.map((log) => [log.topics[2], log.topics[3]].map((topic) => `0x${topic?.slice(26) ?? ""}`));
    expect(parties.slice(0, -1)).toEqual(match?.makers.map((maker) => [maker.wallet, match.taker.wallet]));
    expect(parties.at(-1)).toEqual([match?.taker.wallet, own[0]?.address]);
  });

  test("is found by a wallet in topic 2 in both its roles", async () => {
    const counts = new Map<string, number>();
    for (const match of settled())
      for (const leg of [match.taker, ...match.makers]) counts.set(leg.wallet, (counts.get(leg.wallet) ?? 0) + 1);
    const [[wallet, legs] = ["", 0]] = [...counts].sort((a, b) => b[1] - a[1]);
    const found = await logs({ address: exchanges, topics: [[filledV1, filledV2], null, [pad(wallet as Hex)]] });
    expect(found).toHaveLength(legs);
  });

  test("has side, token and a pUSD fee in V2, and two asset ids in V1, 0 being the collateral", async () => {
    const filled = await logs({ address: exchanges, topics: [[filledV1, filledV2]] });
    const byPlace = new Map(filled.map((log) => [`${Number(log.blockNumber)}:${Number(log.logIndex)}`, log]));
    for (const match of settled().filter((_match, index) => index % 50 === 0)) {
      for (const leg of [match.taker, ...match.makers]) {
        const log = byPlace.get(`${match.block_number}:${leg.log_index}`);
        if (log === undefined) throw new Error("a leg has no log");
        const abi = match.exchange_version === "V2" ? exchangeV2Abi : exchangeV1Abi;
        const { args } = decodeEventLog({ abi, topics: log.topics, data: log.data, strict: true });
        const buys = leg.side === "BUY";
        const [given, got] = buys ? [leg.usd_micro, leg.shares_micro] : [leg.shares_micro, leg.usd_micro];
        expect(args).toMatchObject({
          makerAmountFilled: BigInt(given),
          takerAmountFilled: BigInt(got),
          fee: BigInt(leg.fee_micro),
        });
        const token = BigInt(leg.token_id);
        const assets = buys ? { makerAssetId: 0n, takerAssetId: token } : { makerAssetId: token, takerAssetId: 0n };
        expect(args).toMatchObject(match.exchange_version === "V2" ? { side: buys ? 0 : 1, tokenId: token } : assets);
      }
    }
  });
});

test("the logs of the chain decode with the ABI of their contract", async () => {
  const abis = new Map<string, readonly unknown[]>(
    [
      [ADDRESSES.ctf, conditionalTokensAbi],
      [ADDRESSES.neg_risk_adapter, negRiskAdapterAbi],
      [ADDRESSES.exchange_v1, exchangeV1Abi],
      [ADDRESSES.neg_risk_exchange_v1, exchangeV1Abi],
      [ADDRESSES.exchange_v2, exchangeV2Abi],
      [ADDRESSES.neg_risk_exchange_v2, exchangeV2Abi],
    ].map(([address, abi]) => [String(address).toLowerCase(), abi as readonly unknown[]]),
  );
  const names = new Set<string>();
  for (const log of (await logs({})).filter((_log, index) => index % 7 === 0)) {
    const abi = abis.get(log.address);
    if (abi === undefined) throw new Error(`unknown contract ${log.address}`);
    names.add(
      String(
        decodeEventLog({ abi: abi as typeof exchangeV2Abi, topics: log.topics, data: log.data, strict: true })
          .eventName,
      ),
    );
  }
  expect([...names]).toEqual(
    expect.arrayContaining([
      "OrderFilled",
      "OrdersMatched",
      "FeeCharged",
      "PositionSplit",
      "PositionsMerge",
      "PayoutRedemption",
      "ConditionPreparation",
      "ConditionResolution",
      "MarketPrepared",
      "QuestionPrepared",
      "OutcomeReported",
    ]),
  );
});

describe("limits", () => {
  test("reject a range over 10,000 blocks, too many logs, and a range ahead of the head", async () => {
    const first = paper.world.chain.first_block;
    const wide = await call("eth_getLogs", { fromBlock: hex(first), toBlock: hex(first + 10_000) });
    expect(wide.error).toEqual({ code: -32701, message: "exceed maximum block range: 10000" });
    const ahead = await call("eth_getLogs", {
      fromBlock: hex(paper.world.chain.head() + 1),
      toBlock: hex(paper.world.chain.head() + 2),
    });
    expect(ahead.error?.message).toBe("invalid block range params");
    const small = await openPaper({ rpc: { max_logs: 100 } });
    const ask = {
      jsonrpc: "2.0",
      id: 1,
      method: "eth_getLogs",
      params: [{ fromBlock: hex(paper.world.chain.head() - 5000), toBlock: "latest" }],
    };
    expect((await small.post<Answer>("rpc", "/", ask)).body.error).toMatchObject({ code: -32005 });
    await small.served.close();
  });

  test("keep the order of a batch, and reject unknown methods and invalid bodies", async () => {
    const batch = [
      { jsonrpc: "2.0", id: 7, method: "eth_getBlockByNumber", params: ["latest", false] },
      { jsonrpc: "2.0", id: 8, method: "eth_nothing" },
      { jsonrpc: "2.0", id: 9, method: "eth_blockNumber" },
    ];
    const { body } = await paper.post<Answer[]>("rpc", "/", batch);
    expect(body.map((answer) => answer.id)).toEqual([7, 8, 9]);
    expect(body[0]?.result).toMatchObject({ number: body[2]?.result });
    expect(body[1]?.error?.code).toBe(-32601);
    expect((await paper.post<Answer>("rpc", "/", { no: "method" })).body.error?.code).toBe(-32600);
  });
});

test("viem reads blocks that are linked by parent hash and stamped in whole seconds", async () => {
  const client = createPublicClient({ chain: polygon, transport: http(paper.served.urls.rpc) });
  const match = paper.world.polymarket.matches[10];
  const block = await client.getBlock({ blockNumber: BigInt(match?.block_number ?? 0), includeTransactions: false });
  const parent = await client.getBlock({ blockNumber: block.number - 1n });
  expect(block.parentHash).toBe(parent.hash);
  expect(Number(block.timestamp) * 1000).toBe(match?.block_ms);
  expect(block.transactions).toContain(match?.tx_hash);
  const own = ((await call("eth_getLogs", { blockHash: block.hash })).result as Log[]).filter(
    (log) => log.transactionHash === match?.tx_hash,
  );
  expect(own.filter((log) => log.topics[0] === filledV1 || log.topics[0] === filledV2)).toHaveLength(
    (match?.makers.length ?? 0) + 1,
  );
  await expect(client.getBlock({ blockNumber: BigInt(paper.world.chain.head() + 5) })).rejects.toThrow(
    "could not be found",
  );
});
