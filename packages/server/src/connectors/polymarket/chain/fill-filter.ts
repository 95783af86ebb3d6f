import { eventTopics } from "./event-topics.ts";
import { exchangeContracts } from "./exchange-contracts.ts";

/** The `eth_getLogs` filter of a range of blocks: both generations of the exchange, with V1's fee modules. */
export function fillFilter(from: number, to: number): Record<string, unknown> {
  return {
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
    address: Object.values(exchangeContracts),
    topics: [Object.values(eventTopics)],
  };
}
