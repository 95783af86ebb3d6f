import { expect, test } from "vitest";
import { polymarketTradesChainStream } from "../../../src/connectors/polymarket/trades-chain.ts";
import type { Batch, Cursor, Feed } from "../../../src/definition/connector.ts";
import { noListening } from "../../fixtures/no-listening.ts";
import { PlayChain } from "../../reorg/play-chain.ts";
import { pullOptions } from "./memory-feed.ts";

const none = async (): Promise<undefined> => undefined;

async function cycle(chain: PlayChain, cursor: Cursor | undefined): Promise<Batch[]> {
  const rpc: Feed["rpc"] = async (method, params, reply) => reply.parse(chain.answer(method, params));
  const batches: Batch[] = [];
  const pulled = polymarketTradesChainStream.pull(
    pullOptions({ get: none, post: none, rpc, listen: noListening }, { cursor }),
  );
  for await (const batch of pulled) batches.push(batch);
  return batches;
}

/** The first block for which a cycle reports all rows. */
const firstReported = (batches: readonly Batch[]): number =>
  Math.min(...batches.flatMap(({ rows }) => rows.flatMap(({ allOf }) => (allOf === undefined ? [] : [allOf.from]))));

test.each([1, 5, 32])("after a reorganisation of %i blocks, reads all of them again and none before", async (depth) => {
  const chain = new PlayChain(100);
  const [last] = (await cycle(chain, undefined)).slice(-1);
  const head = chain.head;
  chain.reorg(depth, (txs) => txs);
  chain.grow(1);
  expect(firstReported(await cycle(chain, last?.cursor))).toBe(head - depth + 1);
});
