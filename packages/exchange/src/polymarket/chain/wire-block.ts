import { type Hex, numberToHex, zeroAddress, zeroHash } from "viem";
import type { ChainBlock, ChainWorld } from "../../world/chain-contract.ts";

const noBloom: Hex = `0x${"0".repeat(512)}`;

/** A whole block, its transactions by their hashes. Roots and bloom are empty: the paper chain proves nothing. */
export function wireBlock(chain: ChainWorld, block: ChainBlock): Record<string, unknown> {
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
