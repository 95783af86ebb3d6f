import type { Feed } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { type BlockMark, isMarked } from "./chain-place.ts";
import type { ChainBlock, ChainLog } from "./logs.ts";
import type { ChainStream } from "./chain-stream.ts";
import { findHeader, inParts } from "./read-blocks.ts";
import { isWrongShape, refusedTransactions, type ReadRange } from "./read-range.ts";
import { logsWire } from "./logs-wire.ts";

/**
 * Reads the newest blocks one by one, by their hashes: a node that lags says so instead of leaving logs out. What does
 * not follow upon `parent`, is not there yet or is replaced meanwhile is left for the next time; undefined where that is
 * all of it.
 */
export async function readTail(
  feed: Feed,
  stream: ChainStream,
  [from, until]: readonly [number, number],
  parent: BlockMark | undefined,
): Promise<Omit<ReadRange, "width"> | undefined> {
  const numbers = Array.from({ length: until - from + 1 }, (_, index) => from + index);
  const blocks = following(await inParts(numbers, (number) => findHeader(feed, number)), parent);
  const last = blocks.at(-1);
  if (last === undefined) return undefined;
  const answers = await inParts(blocks, (block) => readLogs(feed, stream, block)).catch(async (error: unknown) => {
    if (isWrongShape(error) || (await findHeader(feed, last.number))?.hash === last.hash) throw error;
    return undefined;
  });
  if (answers === undefined) return undefined;
  const seconds = new Map(blocks.map(({ number, timestamp }) => [number, timestamp]));
  const told = stream.toRows(answers.flat(), (number) => {
    const found = seconds.get(number);
    if (found === undefined) throw new Error(`a log of block ${number} came with blocks ${from} to ${last.number}`);
    return found;
  });
  return { told, to: last.number, last, blocks, except: refusedTransactions(answers.flatMap(refusedOf)) };
}

/** The blocks up to the first that is missing or whose parent is another one. */
function following(headers: readonly (ChainBlock | undefined)[], parent: BlockMark | undefined): readonly ChainBlock[] {
  const blocks: ChainBlock[] = [];
  for (const header of headers) {
    const before = blocks.at(-1);
    if (header === undefined) break;
    if (before === undefined ? parent && !isMarked(parent, header.parentHash) : header.parentHash !== before.hash)
      break;
    blocks.push(header);
  }
  return blocks;
}

async function readLogs(feed: Feed, stream: ChainStream, { hash, number }: ChainBlock): Promise<ChainLog[]> {
  const { fromBlock: _from, toBlock: _to, ...what } = stream.filter(number, number);
  const logs = await feed.rpc("eth_getLogs", [{ ...what, blockHash: hash }], logsWire);
  if (logs.some((log) => log.blockHash !== hash)) throw new Error(`logs of block ${number} are of another block`);
  return logs;
}
