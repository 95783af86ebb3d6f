import { type Hex, isHex, numberToHex } from "viem";
import { z } from "zod";
import type { ChainBlock } from "../../world/chain-contract.ts";
import type { World } from "../../world/world.ts";
import { type BlockIndex, blockIndex } from "./block-index.ts";
import { callContract } from "./call-contract.ts";
import { findLogs, logFilter } from "./log-query.ts";
import type { ReorgChain } from "./reorg-chain.ts";
import { RpcError } from "./rpc-error.ts";
import { wireBlock, wireReceipt, wireTransaction } from "./wire-block.ts";

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

/** Blocks behind the head that count as final. */
const finality = 16;

/** The methods an indexer uses. `chain` is the world's chain as this node sees it. */
export function rpcMethods(world: World, chain: ReorgChain, options: RpcOptions = {}): ReadonlyMap<string, RpcMethod> {
  const index = blockIndex(chain);
  const block = (number: number): ChainBlock | undefined => (number > chain.head() ? undefined : chain.block(number));
  return new Map<string, RpcMethod>([
    ["eth_chainId", () => "0x89"],
    ["net_version", () => "137"],
    ["web3_clientVersion", () => "almanac-paper-bor/1.0.0"],
    ["eth_syncing", () => false],
    ["eth_blockNumber", () => numberToHex(chain.head())],
    ["eth_getBlockByNumber", ([tag, full]) => shownBlock(chain, block(readTag(chain, tag)), full)],
    ["eth_getBlockByHash", ([hash, full]) => shownBlock(chain, blockByHash(index, block, hash), full)],
    ["eth_getLogs", ([filter]) => getLogs(chain, index, filter, options)],
    ["eth_getTransactionReceipt", ([hash]) => inTransaction(chain, index, hash, wireReceipt)],
    ["eth_getTransactionByHash", ([hash]) => inTransaction(chain, index, hash, wireTransaction)],
    ["eth_call", ([call]) => ethCall(world, call)],
    ["eth_gasPrice", () => "0x6fc23ac00"],
  ]);
}

function shownBlock(chain: ReorgChain, block: ChainBlock | undefined, full: unknown): unknown {
  return block === undefined ? null : wireBlock(chain, block, full === true);
}

function blockByHash(
  index: BlockIndex,
  block: (number: number) => ChainBlock | undefined,
  hash: unknown,
): ChainBlock | undefined {
  const number = index.byHash(String(hash));
  const found = number === undefined ? undefined : block(number);
  return found?.hash === String(hash).toLowerCase() ? found : undefined;
}

function readTag(chain: ReorgChain, tag: unknown): number {
  const head = chain.head();
  if (tag === undefined || tag === null || tag === "latest" || tag === "pending") return head;
  if (tag === "earliest") return chain.first_block;
  if (tag === "finalized" || tag === "safe") return Math.max(chain.first_block, head - finality);
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
    const number = index.byHash(filter.blockHash);
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

function inTransaction(
  chain: ReorgChain,
  index: BlockIndex,
  hash: unknown,
  shown: (block: ChainBlock, hash: Hex, place: number, logs: readonly { address: Hex }[]) => unknown,
): unknown {
  const number = index.byTransaction(String(hash));
  const block = number === undefined ? undefined : chain.block(number);
  if (block === undefined) return null;
  const own = String(hash).toLowerCase() as Hex;
  const logs = findLogs(chain, {}, block.number, block.number, 100_000).filter((log) => log.transactionHash === own);
  return shown(block, own, chain.transactions(block.number).indexOf(own), logs);
}

function ethCall(world: World, call: unknown): Hex {
  const parsed = z
    .object({ to: z.string(), data: z.string().optional(), input: z.string().optional() })
    .safeParse(call);
  const data = parsed.success ? (parsed.data.data ?? parsed.data.input ?? "0x") : undefined;
  if (!parsed.success || !isHex(data)) throw new RpcError(-32602, "invalid argument 0: call");
  return callContract(world, parsed.data.to, data);
}
