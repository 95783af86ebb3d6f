import type { Hex } from "viem";
import { numberToHex } from "viem/utils";
import { findLogs, logFilter } from "./log-query.ts";
import { logTopics, wireLog } from "./wire-log.ts";
import type { ReorgChain } from "./reorg-chain.ts";
import { RpcError } from "./rpc-error.ts";
import type { ChainBlock, ChainWorld } from "../../world/chain-contract.ts";

const zeros = (digits: number): Hex => `0x${"0".repeat(digits)}`;
const [noBloom, zeroHash, zeroAddress] = [zeros(512), zeros(64), zeros(40)];

/** Full block with its transaction hashes. Roots and bloom are empty, because the simulated chain proves nothing. */
function wireBlock(chain: ChainWorld, block: ChainBlock): Record<string, unknown> {
  return {
    number: numberToHex(block.number),
    hash: block.hash,
    parentHash: block.parent_hash,
    timestamp: numberToHex(block.timestamp),
    nonce: "0x0000000000000000",
    sha3Uncles: zeroHash,
    logsBloom: noBloom,
    transactionsRoot: zeroHash,
    stateRoot: zeroHash,
    receiptsRoot: zeroHash,
    miner: zeroAddress,
    difficulty: "0x1",
    extraData: "0x",
    gasLimit: "0x1c9c380",
    gasUsed: "0x0",
    baseFeePerGas: "0x6fc23ac00",
    mixHash: zeroHash,
    size: "0x400",
    totalDifficulty: numberToHex(block.number),
    uncles: [],
    transactions: chain.transactions(block.number),
  };
}

/** Maximum range of eth_getLogs, in blocks. */
const MAX_BLOCKS = 10_000;

/** Limits of the node. */
export interface RpcOptions {
  /** Maximum logs in a response; default 50,000. */
  max_logs?: number;
}

/** A method of the node: parameters in, result out, RpcError thrown. */
export type RpcMethod = (params: readonly unknown[]) => unknown;

/** The methods an indexer uses. `chain` is the world's chain as this node sees it. */
export function rpcMethods(chain: ReorgChain, options: RpcOptions = {}): ReadonlyMap<string, RpcMethod> {
  const blocks = blockIndex(chain, (number) => [chain.block(number)?.hash ?? []].flat());
  const transactions = blockIndex(chain, (number) => chain.transactions(number));
  return new Map<string, RpcMethod>([
    ["eth_blockNumber", () => numberToHex(chain.head())],
    ["eth_getBlockByNumber", ([tag]) => getBlock(chain, readTag(chain, tag))],
    ["eth_getLogs", ([filter]) => getLogs(chain, blocks, filter, options)],
    ["eth_getTransactionReceipt", ([hash]) => getReceipt(chain, transactions, hash)],
  ]);
}

function getBlock(chain: ReorgChain, number: number): unknown {
  const block = number > chain.head() ? undefined : chain.block(number);
  return block === undefined ? null : wireBlock(chain, block);
}

function readTag(chain: ReorgChain, tag: unknown): number {
  if (tag === undefined || tag === null || tag === "latest") return chain.head();
  if (typeof tag !== "string" || !/^0x[0-9a-f]{1,12}$/i.test(tag))
    throw new RpcError(-32602, "invalid argument 0: hex string");
  return Number(tag);
}

function getLogs(chain: ReorgChain, index: BlockIndex, requested: unknown, options: RpcOptions): unknown {
  const parsed = logFilter.safeParse(requested);
  if (!parsed.success) throw new RpcError(-32602, "invalid argument 0: filter");
  const filter = parsed.data;
  const most = options.max_logs ?? 50_000;
  if (filter.blockHash !== undefined && filter.blockHash !== null) {
    const number = index(filter.blockHash);
    if (number === undefined) throw new RpcError(-32000, "unknown block");
    return findLogs(chain, filter, number, number, most);
  }
  const head = chain.head();
  const from = readTag(chain, filter.fromBlock);
  const to = readTag(chain, filter.toBlock);
  // A node that lags behind another one the caller has used also sends this error; the caller should retry.
  if (from > to || from > head) throw new RpcError(-32000, "invalid block range params");
  if (to - from + 1 > MAX_BLOCKS) throw new RpcError(-32701, `exceed maximum block range: ${MAX_BLOCKS}`);
  return findLogs(chain, filter, Math.max(from, chain.first_block), Math.min(to, head), most);
}

/** The receipt of a transaction; null if no block has it (yet, or any more). */
function getReceipt(chain: ReorgChain, index: BlockIndex, requested: unknown): unknown {
  if (typeof requested !== "string" || !/^0x[0-9a-f]{64}$/i.test(requested))
    throw new RpcError(-32602, "invalid argument 0: hex string of 32 bytes");
  const hash = requested.toLowerCase();
  const number = index(hash);
  const block = number === undefined ? undefined : chain.block(number);
  if (block === undefined) return null;
  const logs = chain.logs(block.number, block.number).filter(({ tx_hash }) => tx_hash === hash);
  return {
    transactionHash: hash,
    transactionIndex: numberToHex(chain.transactions(block.number).indexOf(hash as Hex)),
    blockHash: block.hash,
    blockNumber: numberToHex(block.number),
    from: zeroAddress,
    to: logs[0]?.address ?? zeroAddress,
    contractAddress: null,
    status: "0x1",
    type: "0x2",
    gasUsed: "0x0",
    cumulativeGasUsed: "0x0",
    effectiveGasPrice: "0x6fc23ac00",
    logsBloom: noBloom,
    logs: logs.map((log) => wireLog(log, logTopics(log), block)),
  };
}

/** Returns the number of the block with a key; undefined if the chain does not have it or no longer does. */
type BlockIndex = (key: string) => number | undefined;

/** Creates an index that reads each block once, on the first lookup of an unknown key. Grows with the chain. */
function blockIndex(chain: ReorgChain, keysOf: (number: number) => readonly string[]): BlockIndex {
  const blocks = new Map<string, number>();
  let next = chain.first_block;
  chain.onReorg((left) => {
    const first = left[0]?.block.number ?? next;
    for (const [key, number] of blocks) if (number >= first) blocks.delete(key);
    next = Math.min(next, first);
  });
  return (key) => {
    const known = blocks.get(key);
    if (known !== undefined) return known;
    for (const head = chain.head(); next <= head; next += 1) for (const each of keysOf(next)) blocks.set(each, next);
    return blocks.get(key);
  };
}
