import type { ChainLog } from "../chain/log-wire.ts";

const WORD_CHARS = 64;
/** No real event has longer arrays: a longer one is a log that is not what its topic says. */
const LONGEST = 512n;

/** The ABI words of a log's data, read by place. Each throws a RangeError where the data ends before. */
export const logWords = {
  /** The number in a word. */
  at: (log: ChainLog, place: number): bigint => BigInt(wordOf(log, place)),
  /** The 32 bytes in a word, as 0x-hex. */
  hexAt: (log: ChainLog, place: number): string => wordOf(log, place),
  /** The address in a word. */
  addressAt: (log: ChainLog, place: number): string => addressIn(wordOf(log, place)),
  /** The array of numbers whose offset is in a word. */
  listAt(log: ChainLog, place: number): bigint[] {
    const start = Number(BigInt(wordOf(log, place)) / 32n);
    const length = BigInt(wordOf(log, start));
    if (length > LONGEST) throw new RangeError(`a list of ${length} in ${log.transactionHash} ${log.logIndex}`);
    return Array.from({ length: Number(length) }, (_, index) => BigInt(wordOf(log, start + 1 + index)));
  },
  /** A topic, the first being 0. */
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

const addressIn = (word: string): string => `0x${word.slice(-40)}`;
