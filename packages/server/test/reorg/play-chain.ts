import type { Hex } from "viem";
import { encodeAbiParameters, encodeEventTopics, keccak256, numberToHex, padHex, parseAbi, toHex } from "viem/utils";
import { exchangeContracts, exchangeEvents } from "../../src/connectors/polymarket/chain/exchange-events.ts";

type Block = {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly seconds: number;
  readonly txs: readonly number[];
};

export const START_SECONDS = Date.UTC(2026, 10, 20) / 1000;
const A_BLOCK_SECONDS = 2;
/** The hash of a numbered transaction. */
export const word = (value: number): Hex => padHex(numberToHex(value), { size: 32 });
const TYPES = ["uint8", "uint256", "uint256", "uint256", "uint256", "bytes32", "bytes32"].map((type) => ({ type }));

/** A chain of numbered transactions, each a fill, that can be reorganised; answers JSON-RPC as a node does. */
export class PlayChain {
  blocks: Block[] = [];
  #branches = 0;
  #txs = 0;

  constructor(length: number) {
    this.grow(length);
  }

  get head(): number {
    return this.blocks.length - 1;
  }

  /** The time of the newest block, Unix ms. */
  get headMs(): number {
    return (this.blocks.at(-1)?.seconds ?? START_SECONDS) * 1000;
  }

  /** Adds blocks with `each` new transactions, and those given in the first one. */
  grow(count: number, returning: readonly number[] = [], each = 2): void {
    for (let index = 0; index < count; index += 1) {
      const fresh = Array.from({ length: each }, () => (this.#txs += 1));
      this.#add([...(index === 0 ? returning : []), ...fresh]);
    }
  }

  /** Replaces the newest blocks with ones of the transactions that `move` returns. Returns those replaced. */
  reorg(
    depth: number,
    move: (txs: readonly number[], index: number) => readonly number[],
    seconds = 0,
  ): readonly number[] {
    const left = this.blocks.splice(Math.max(1, this.blocks.length - depth));
    this.#branches += 1;
    left.forEach(({ txs }, index) => this.#add(move(txs, index), seconds));
    return left.flatMap(({ txs }) => txs);
  }

  #add(txs: readonly number[], late = 0): void {
    const parent = this.blocks.at(-1);
    const number = this.blocks.length;
    const parentHash = parent?.hash ?? word(0);
    const seconds = (parent?.seconds ?? START_SECONDS) + A_BLOCK_SECONDS + late;
    const hash = keccak256(toHex(`${this.#branches}:${parentHash}:${number}`));
    this.blocks.push({ number, hash, parentHash, seconds, txs });
  }

  /** Rows of the canonical chain: `seconds tx block index`, sorted. */
  truth(): string[] {
    return this.blocks
      .flatMap(({ seconds, txs, number }) => txs.map((tx, index) => `${seconds} ${tx} ${number} ${index}`))
      .sort();
  }

  answer(method: string, params: readonly unknown[]): unknown {
    if (method === "eth_blockNumber") return numberToHex(this.head);
    if (method === "eth_getBlockByNumber") {
      const block = this.blocks[Number(params[0])];
      if (block === undefined) return null;
      const { hash, parentHash } = block;
      return { hash, parentHash, number: numberToHex(block.number), timestamp: numberToHex(block.seconds) };
    }
    if (method === "eth_getTransactionReceipt")
      return this.blocks.some(({ txs }) => txs.some((tx) => word(tx) === params[0])) ? { status: "0x1" } : null;
    const { fromBlock, toBlock, blockHash } = params[0] as Record<string, string>;
    if (blockHash === undefined) return this.blocks.slice(Number(fromBlock), Number(toBlock) + 1).flatMap(logsOf);
    const block = this.blocks.find(({ hash }) => hash === blockHash);
    if (block === undefined) throw new Error("unknown block");
    return logsOf(block);
  }
}

function logsOf({ number, hash, seconds, txs }: Block): unknown[] {
  return txs.map((tx, index) => ({
    address: exchangeContracts.v2,
    topics: encodeEventTopics({
      abi: parseAbi([exchangeEvents.filledV2]),
      eventName: "OrderFilled",
      args: {
        orderHash: word(tx),
        maker: padHex(numberToHex((tx % 5) + 1), { size: 20 }),
        taker: exchangeContracts.v2,
      },
    }),
    data: encodeAbiParameters(TYPES, [0, BigInt((tx % 3) + 1), BigInt(400_000 + tx), 1_000_000n, 0n, word(0), word(0)]),
    blockNumber: numberToHex(number),
    blockHash: hash,
    transactionHash: word(tx),
    logIndex: numberToHex(index),
    blockTimestamp: numberToHex(seconds),
  }));
}
