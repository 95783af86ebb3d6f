import { numberToHex } from "viem";
import { type BlockIndex, blockIndex } from "./block-index.ts";
import { findLogs, logFilter } from "./log-query.ts";
import type { ReorgChain } from "./reorg-chain.ts";
import { RpcError } from "./rpc-error.ts";
import { wireBlock } from "./wire-block.ts";

/** Limits of the node. */
export interface RpcOptions {
  /** Widest eth_getLogs, in blocks; default 10,000. */
  max_range?: number;
  /** Most logs in an answer; default 50,000. */
  max_logs?: number;
  /** Blocks kept; older ones are pruned. Default: all. */
  history_blocks?: number;
}

/** A method of the node: parameters in, result out, RpcError thrown. */
export type RpcMethod = (params: readonly unknown[]) => unknown;

/** The methods an indexer uses. `chain` is the world's chain as this node sees it. */
export function rpcMethods(chain: ReorgChain, options: RpcOptions = {}): ReadonlyMap<string, RpcMethod> {
  const index = blockIndex(chain);
  return new Map<string, RpcMethod>([
    ["eth_blockNumber", () => numberToHex(chain.head())],
    ["eth_getBlockByNumber", ([tag]) => getBlock(chain, readTag(chain, tag))],
    ["eth_getLogs", ([filter]) => getLogs(chain, index, filter, options)],
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

function getLogs(chain: ReorgChain, index: BlockIndex, asked: unknown, options: RpcOptions): unknown {
  const parsed = logFilter.safeParse(asked);
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
  // A node that lags behind what the caller has seen elsewhere answers this too: ask again.
  if (from > to || from > head) throw new RpcError(-32000, "invalid block range params");
  const range = options.max_range ?? 10_000;
  if (to - from + 1 > range) throw new RpcError(-32701, `exceed maximum block range: ${range}`);
  const kept = options.history_blocks;
  if (kept !== undefined && from < head - kept) throw new RpcError(-32701, "History has been pruned for this block");
  return findLogs(chain, filter, Math.max(from, chain.first_block), Math.min(to, head), most);
}
