import { z } from "zod";
import { hexWire } from "../exact/wires.ts";

/** A JSON-RPC quantity (`0x53d6ccd`) that fits a JavaScript integer: block numbers, seconds, indexes. */
export const quantityWire = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/, "a JSON-RPC quantity below 2^52")
  .transform((text) => Number.parseInt(text, 16));

const hex = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/, "0x-hex");

/** A log as `eth_getLogs` returns it. Newer nodes add the block's time, which saves a call for it. */
export const logWire = z.object({
  address: hexWire(20),
  topics: z
    .array(z.unknown())
    .min(1)
    .max(4)
    .pipe(z.array(hexWire(32))),
  data: hex,
  blockNumber: quantityWire,
  blockHash: hexWire(32),
  transactionHash: hexWire(32),
  logIndex: quantityWire,
  blockTimestamp: quantityWire.nullish(),
  removed: z.boolean().nullish(),
});

export type ChainLog = z.output<typeof logWire>;

/** The block fields we read. `timestamp` is in whole seconds. Nodes answer null for a block they do not have. */
export const blockWire = z.object({
  number: quantityWire,
  hash: hexWire(32),
  parentHash: hexWire(32),
  timestamp: quantityWire,
});

export type ChainBlock = z.output<typeof blockWire>;

/** The receipt field we read: "0x0" for a transaction that failed. Nodes answer null for one that no block has. */
export const receiptWire = z.object({ status: z.string().regex(/^0x[01]$/, "0x0 or 0x1") });

const WORD_CHARS = 64;

/** Readers of a log's ABI words, by index. Each throws a RangeError if the data is too short. */
export const logWords = {
  /** The number in a word. */
  at: (log: ChainLog, place: number): bigint => BigInt(wordOf(log, place)),
  /** The 32 bytes in a word, as 0x-hex. */
  hexAt: (log: ChainLog, place: number): string => wordOf(log, place),
  /** The address in a word. */
  addressAt: (log: ChainLog, place: number): string => addressIn(wordOf(log, place)),
  /** The array of numbers whose offset is in a word. */
  listAt(log: ChainLog, place: number): bigint[] {
    const { start, length } = listIn(log, place);
    return Array.from({ length }, (_, index) => BigInt(wordOf(log, start + index)));
  },
  /** The length of that array. */
  lengthAt: (log: ChainLog, place: number): number => listIn(log, place).length,
  /** A topic by index, the first being 0. */
  topic(log: ChainLog, place: number): string {
    const topic = log.topics[place];
    if (topic === undefined) throw new RangeError(`${log.transactionHash} ${log.logIndex} has no topic ${place}`);
    return topic;
  },
  /** The address in a topic. */
  addressOf: (log: ChainLog, place: number): string => addressIn(logWords.topic(log, place)),
} as const;

function wordOf(log: ChainLog, place: number): string {
  const word = log.data.slice(2 + place * WORD_CHARS, 2 + (place + 1) * WORD_CHARS);
  if (word.length < WORD_CHARS) throw new RangeError(`${log.transactionHash} ${log.logIndex} has no word ${place}`);
  return `0x${word.toLowerCase()}`;
}

/** The bounds of an array's numbers. Throws a RangeError for a length or offset beyond the data. */
function listIn(log: ChainLog, place: number): { readonly start: number; readonly length: number } {
  const start = Number(BigInt(wordOf(log, place)) / 32n) + 1;
  const length = Number(BigInt(wordOf(log, start - 1)));
  if (length > 0) wordOf(log, start + length - 1);
  return { start, length };
}

const addressIn = (word: string): string => `0x${word.slice(-40)}`;
