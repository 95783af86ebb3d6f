import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { polymarketTradesChainStream } from "../../src/connectors/polymarket/trades-chain.ts";
import { derivedOrderHash } from "../../src/definition/derived-order-hash.ts";
import { createStoredFills } from "../../src/ingest/stored-fills.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { collect, memoryFeed, pullOptions } from "../connectors/polymarket/memory-feed.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { gather } from "./gather.ts";
import { PlayChain, START_SECONDS, word } from "./play-chain.ts";
import { candleCounts, emptyStore, storedRows } from "./stored-rows.ts";

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());
beforeEach(async () => {
  await emptyStore(engines.store);
  await engines.db.deleteFrom("gaps").execute();
  await engines.db.deleteFrom("notices").execute();
});

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The fill of a numbered transaction as the Data API reports it. */
function reported(tx: number, seconds: number) {
  const wallet = `0x${"0".repeat(39)}${(tx % 5) + 1}`;
  const fill = { tx_hash: word(tx), wallet, token_id: String((tx % 3) + 1), side: "BUY" } as const;
  return {
    ...fill,
    ts: seconds,
    order_hash: derivedOrderHash({ ...fill, sharesMicro: 1_000_000n, occurrence: 0 }),
    role: "unknown",
    match_kind: "unknown",
    shares: "1",
    usd: "0.4",
    fee_usd: "0",
    block_number: 0,
    log_index: 0,
    source: "data_api_v2",
    alike_number: 0,
  };
}

/** A chain whose transactions of the block at `place` were reported by the Data API, and then dropped by a reorg. */
async function droppedAt(place: number): Promise<PlayChain> {
  const chain = new PlayChain(0);
  // Rows of block 0 look like rows without a block.
  chain.grow(1, [], 0);
  chain.grow(place);
  const [block] = chain.blocks.slice(-1);
  const deriver = gather(engines).deriver;
  const rows = (block?.txs ?? []).map((tx) => reported(tx, block?.seconds ?? 0));
  await engines.store.insert(polymarketFills, rows);
  deriver.begin(polymarketFills)(rows, []);
  await deriver.flush();
  chain.reorg(1, () => []);
  chain.grow(599 - place);
  return chain;
}

const notices = () => engines.db.selectFrom("notices").select(["text", "count"]).execute();

describe("fills of the Data API whose transactions the chain does not have", () => {
  test("are removed by a backfill, with their candles", async () => {
    const chain = await droppedAt(50);
    const { backfill, deriver } = gather(engines);
    await backfill(chain, { from: iso(START_SECONDS), to: iso(START_SECONDS + 2000) });
    expect(await storedRows(engines.store)).toEqual(chain.truth());
    await deriver.flush();
    const candles = await candleCounts(engines.store);
    expect(candles.stored).toEqual(candles.true);
  });

  test("are removed by the live walk once they are three minutes old, and counted", async () => {
    const chain = await droppedAt(550);
    const { turn } = gather(engines);
    await turn(chain);
    chain.grow(1);
    await turn(chain);
    expect(await storedRows(engines.store)).not.toEqual(chain.truth());
    chain.grow(100);
    await turn(chain);
    chain.grow(1);
    await turn(chain);
    expect(await storedRows(engines.store)).toEqual(chain.truth());
    expect(await notices()).toEqual([{ text: expect.stringContaining("are removed"), count: 2 }]);
  });

  test("are removed if their transactions failed when they returned", async () => {
    const chain = await droppedAt(50);
    const gone = new Set([word(99), word(100)]);
    const answer = chain.answer.bind(chain);
    chain.answer = (method, params) =>
      method === "eth_getTransactionReceipt" && gone.has(params[0] as `0x${string}`)
        ? { status: "0x0" }
        : answer(method, params);
    await gather(engines).backfill(chain, { from: iso(START_SECONDS), to: iso(START_SECONDS + 2000) });
    expect(await storedRows(engines.store)).toEqual(chain.truth());
  });

  test("stay if the node has receipts of them: the walk did not read their exchange", async () => {
    const chain = await droppedAt(50);
    const answer = chain.answer.bind(chain);
    chain.answer = (method, params) =>
      method === "eth_getTransactionReceipt" ? { status: "0x1" } : answer(method, params);
    await gather(engines).backfill(chain, { from: iso(START_SECONDS), to: iso(START_SECONDS + 2000) });
    expect((await storedRows(engines.store)).length).toBe(chain.truth().length + 2);
  });

  test("stay, with a notice, if the node has no receipts of that time at all", async () => {
    const chain = await droppedAt(550);
    const answer = chain.answer.bind(chain);
    chain.answer = (method, params) => (method === "eth_getTransactionReceipt" ? null : answer(method, params));
    const { turn } = gather(engines);
    await turn(chain);
    chain.grow(150);
    await turn(chain);
    await turn(chain);
    expect((await storedRows(engines.store)).length).toBe(chain.truth().length + 2);
    expect(await notices()).toEqual([{ text: expect.stringContaining("could not be checked"), count: 2 }]);
  });

  test("stay, with a notice, if the node does not know the method, and the walk goes on", async () => {
    const chain = await droppedAt(550);
    const answer = chain.answer.bind(chain);
    chain.answer = (method, params) => {
      if (method === "eth_getTransactionReceipt") throw new Error("the method does not exist");
      return answer(method, params);
    };
    const { turn } = gather(engines);
    await turn(chain);
    chain.grow(150);
    await turn(chain);
    expect((await storedRows(engines.store)).length).toBe(chain.truth().length + 2);
    expect(await notices()).toEqual([{ text: expect.stringContaining("could not be checked"), count: 2 }]);
  });

  test("are not looked for while the time of the walk's place is not known", async () => {
    const chain = new PlayChain(20);
    const feed = pullOptions({
      ...memoryFeed({}),
      rpc: async (method, params, reply) => reply.parse(chain.answer(method, params)),
    });
    const storedFills = createStoredFills(engines.store, engines.db);
    const cursor = { block: chain.head - 2, marks: "" };
    const pulled = polymarketTradesChainStream.pull({ ...feed, storedFills, cursor });
    const { batches } = await collect(pulled);
    expect(batches.at(-1)).toMatchObject({ isCaughtUp: true, cursor: { block: chain.head } });
  });
});
