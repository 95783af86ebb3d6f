import type { Batch, Feed } from "../../../definition/connector.ts";
import type { TableDefinition } from "../../../definition/table.ts";
import type { ChainLog, ChainBlock } from "./logs.ts";
import { refusedOf, type RefusedRow } from "../../../definition/read-page.ts";
import { skippedOf } from "../../../definition/rows-of.ts";
import { logsWire } from "./logs-wire.ts";
import { readBlock, readBlocks, findHeader, inParts } from "./read-blocks.ts";
import { z } from "zod";
import { type BlockMark, isMarked } from "./chain-place.ts";

/** The rows of a run of blocks, with notices of skipped data. */
export type ChainRows = Pick<Batch, "rows" | "notices">;

/** The Polygon logs a stream reads and the rows made of them. `pullChain` turns it into a stream's `pull`. */
export type ChainStream = {
  /** Its tables: for a range of blocks they contain exactly the rows `toRows` makes of its logs. */
  readonly tables: readonly TableDefinition[];
  /** The lowest block of any backfill: that of the oldest contract. */
  readonly firstBlock: number;
  /** The `eth_getLogs` filter apart from blocks. */
  readonly logs: { readonly address: readonly string[]; readonly topics: readonly (readonly string[])[] };
  /** The rows of a run of complete blocks. `secondsOf` gives the time of any block with a log in the run. */
  readonly toRows: (logs: readonly ChainLog[], secondsOf: (block: number) => number) => ChainRows;
};

/** The `eth_getLogs` filter of a range of blocks, both ends included. */
export const logsBetween = ({ logs }: ChainStream, from: number, to: number): Record<string, unknown> => ({
  fromBlock: `0x${from.toString(16)}`,
  toBlock: `0x${to.toString(16)}`,
  ...logs,
});

/** Nodes refuse wider ranges (reference/polymarket.md §5.4). */
const WIDEST = 10_000;
/** Wider ranges would exceed the reply size limit: 40–48 fills a block, 1.1 kB each. */
const LOGS_AIMED_AT = 4000;

/** The block fields a walk keeps. `timestamp` is in whole seconds. */
export type BlockFacts = Pick<ChainBlock, "number" | "hash" | "timestamp">;

/** A range of blocks, completely read. `width` is the next width to try; `last` is its last block. */
export type ReadRange = {
  readonly reported: ChainRows;
  readonly to: number;
  readonly last: BlockFacts;
  /** The blocks to mark, oldest first. */
  readonly blocks: readonly BlockFacts[];
  /** Transactions whose logs could not be read; undefined if one of them cannot be identified. */
  readonly except: readonly string[] | undefined;
  readonly width: number;
};

/**
 * The rows of the blocks from `from` on, at most up to `until`. A refusal (too wide, too many logs, a lagging node)
 * halves the range; a refusal of a single block is thrown. Blocks before `settled` are final.
 */
export async function readRange(
  feed: Feed,
  stream: ChainStream,
  [from, until]: readonly [number, number],
  { width, settled }: { readonly width: number; readonly settled: number },
): Promise<ReadRange> {
  let wide = Math.max(1, Math.min(width, WIDEST));
  for (;;) {
    const to = Math.min(until, from + wide - 1);
    try {
      const logs = await feed.rpc("eth_getLogs", [logsBetween(stream, from, to)], logsWire);
      const last = (to < settled ? blockOf(logs, to) : undefined) ?? (await readBlock(feed, to));
      const reported = stream.toRows(logs, await timesOf(feed, logs, last));
      const except = refusedTransactions(refusedOf(logs));
      const answered = logs.length + skippedOf(logs);
      return { reported, to, last, blocks: [last], except, width: nextWidth(wide, to - from + 1, answered) };
    } catch (error) {
      if (isWrongShape(error) || to === from) throw error;
      wide = Math.max(1, Math.floor((to - from + 1) / 2));
    }
  }
}

/** A block's facts from its last log: for final blocks this saves every second call of a walk. */
function blockOf(logs: readonly ChainLog[], number: number): BlockFacts | undefined {
  const log = logs.findLast(({ blockNumber }) => blockNumber === number);
  return log?.blockTimestamp == null ? undefined : { number, hash: log.blockHash, timestamp: log.blockTimestamp };
}

/** The time of each block with a log. Throws if a log's block hash differs from the header's. */
async function timesOf(feed: Feed, logs: readonly ChainLog[], last: BlockFacts): Promise<(block: number) => number> {
  const untimed = new Set(logs.filter((log) => log.blockTimestamp == null).map((log) => log.blockNumber));
  untimed.delete(last.number);
  const blocks = new Map<number, BlockFacts>([...(await readBlocks(feed, [...untimed])), [last.number, last]]);
  for (const log of logs) {
    const block = blocks.get(log.blockNumber);
    // The block hash differs from the header's: the chain was reorganised between two calls. Read the range again.
    if (block !== undefined && block.hash !== log.blockHash) throw new Error(`block ${log.blockNumber} was replaced`);
  }
  const said = new Map(logs.map((log) => [log.blockNumber, log.blockTimestamp]));
  return (number) => {
    const seconds = blocks.get(number)?.timestamp ?? said.get(number);
    if (seconds == null) throw new Error(`block ${number} has no time`);
    return seconds;
  };
}

function nextWidth(wide: number, read: number, logs: number): number {
  if (logs > LOGS_AIMED_AT) return Math.max(1, Math.floor(read / 2));
  return logs * 2 < LOGS_AIMED_AT ? Math.min(WIDEST, wide * 2) : wide;
}

/** Transactions of unreadable logs; undefined if a log lacks even its transaction hash. */
function refusedTransactions(refused: readonly RefusedRow[]): readonly string[] | undefined {
  const hashes = new Set<string>();
  for (const { key } of refused) {
    const hash = key?.["tx_hash"];
    if (hash === undefined) return undefined;
    hashes.add(hash);
  }
  return [...hashes];
}

/** Whether a reply was refused by its schema (the feed names that UpstreamChanged): a narrower range cannot help. */
export function isWrongShape(error: unknown): boolean {
  return error instanceof z.ZodError || (error instanceof Error && error.name === "UpstreamChanged");
}

/**
 * Reads the newest blocks one by one, by their hashes: a lagging node then fails instead of omitting logs. Blocks that
 * do not follow `parent`, are missing or are replaced meanwhile are left for the next cycle; undefined if that is all
 * of them.
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
  const reported = stream.toRows(answers.flat(), (number) => {
    const found = seconds.get(number);
    if (found === undefined)
      throw new Error(`a log of block ${number} was returned for blocks ${from} to ${last.number}`);
    return found;
  });
  return { reported, to: last.number, last, blocks, except: refusedTransactions(answers.flatMap(refusedOf)) };
}

/** The blocks before the first that is missing or has another parent. */
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
  const logs = await feed.rpc("eth_getLogs", [{ ...stream.logs, blockHash: hash }], logsWire);
  if (logs.some((log) => log.blockHash !== hash)) throw new Error(`logs of block ${number} belong to another block`);
  return logs;
}
