import type { Hex } from "viem";
import { z } from "zod";
import type { ChainWorld, LogWish } from "../../world/chain-contract.ts";
import { firstTopic, logTopics, type WireLog, wireLog } from "./wire-log.ts";
import { RpcError } from "./rpc-error.ts";

const hex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text.toLowerCase());
const topic = z.union([hex, z.array(hex).max(1000), z.null()]);

/** The filter object of eth_getLogs. */
export const logFilter = z.object({
  address: z.union([hex, z.array(hex).max(1000)]).nullish(),
  topics: z.array(topic).max(4).nullish(),
  fromBlock: z.string().nullish(),
  toBlock: z.string().nullish(),
  blockHash: hex.nullish(),
});

type LogFilter = z.infer<typeof logFilter>;

/** Returns the logs of `from`..`to` that pass the filter; throws -32005 when there are more than `most`. */
export function findLogs(chain: ChainWorld, filter: LogFilter, from: number, to: number, most: number): WireLog[] {
  const passes = topicTest(filter);
  const wish = logWish(filter);
  const found: WireLog[] = [];
  for (let number = from; number <= to; number += 1) {
    const logs = chain.logs(number, number, wish);
    const block = logs.length === 0 ? undefined : chain.block(number);
    if (block === undefined) continue;
    for (const log of logs) {
      const topics = logTopics(log);
      if (passes(topics)) found.push(wireLog(log, topics, block));
    }
    if (found.length > most) throw new RpcError(-32005, `query returned more than ${most} results`);
  }
  return found;
}

/** Prefilter by address and first topic: most logs of a block are transfers, which few callers request. */
function logWish(filter: LogFilter): LogWish {
  const addresses = addressSet(filter);
  const first = filter.topics?.[0];
  const topics = first === undefined || first === null ? undefined : new Set(Array.isArray(first) ? first : [first]);
  return (log) =>
    (addresses === undefined || addresses.has(log.address)) &&
    (topics === undefined || topics.size === 0 || topics.has(firstTopic(log)));
}

function addressSet(filter: LogFilter): Set<string> | undefined {
  if (filter.address === undefined || filter.address === null) return undefined;
  const list = Array.isArray(filter.address) ? filter.address : [filter.address];
  return list.length === 0 ? undefined : new Set(list);
}

/**
 * null matches anything, an array any of its members, an empty array anything; a filter with more topics than the log
 * does not match.
 */
function topicTest(filter: LogFilter): (topics: readonly Hex[]) => boolean {
  const places = (filter.topics ?? []).map((place) => {
    if (place === null) return null;
    const list = Array.isArray(place) ? place : [place];
    return list.length === 0 ? null : new Set(list);
  });
  return (topics) =>
    topics.length >= places.length && places.every((place, index) => place === null || place.has(topics[index] ?? ""));
}
