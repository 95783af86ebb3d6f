import { type Hex, numberToHex, zeroAddress, zeroHash } from "viem";
import type { ChainBlock, ChainWorld } from "../../world/chain-contract.ts";
import { contracts } from "./contracts.ts";

const noBloom: Hex = `0x${"0".repeat(512)}`;

/** The header of a block, as newHeads tells it. Roots and bloom are empty: the paper chain proves nothing. */
export function wireHeader(block: ChainBlock): Record<string, unknown> {
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
  };
}

/** A whole block with its transactions, as hashes or as objects. */
export function wireBlock(chain: ChainWorld, block: ChainBlock, full: boolean): Record<string, unknown> {
  const hashes = chain.transactions(block.number);
  const transactions = full ? hashes.map((hash, index) => wireTransaction(block, hash, index)) : hashes;
  return { ...wireHeader(block), size: "0x400", totalDifficulty: numberToHex(block.number), uncles: [], transactions };
}

/** A transaction by its place; who sent it and with what data is not part of the paper chain. */
export function wireTransaction(block: ChainBlock, hash: Hex, index: number): Record<string, unknown> {
  return {
    hash,
    blockHash: block.hash,
    blockNumber: numberToHex(block.number),
    transactionIndex: numberToHex(index),
    from: zeroAddress,
    to: contracts.exchangeV2.toLowerCase(),
    input: "0x",
    value: "0x0",
    nonce: "0x0",
    gas: "0x7a120",
    gasPrice: "0x6fc23ac00",
    type: "0x0",
    chainId: "0x89",
    v: "0x1b",
    r: zeroHash,
    s: zeroHash,
  };
}

/** A receipt with the logs given. */
export function wireReceipt(
  block: ChainBlock,
  hash: Hex,
  index: number,
  logs: readonly { address: Hex }[],
): Record<string, unknown> {
  return {
    transactionHash: hash,
    transactionIndex: numberToHex(index),
    blockHash: block.hash,
    blockNumber: numberToHex(block.number),
    from: zeroAddress,
    to: logs.at(-1)?.address ?? contracts.exchangeV2.toLowerCase(),
    status: "0x1",
    type: "0x0",
    contractAddress: null,
    cumulativeGasUsed: "0x7a120",
    gasUsed: "0x7a120",
    effectiveGasPrice: "0x6fc23ac00",
    logsBloom: noBloom,
    logs,
  };
}
