import type { Hex } from "viem";
import { encodeAbiParameters, numberToHex, padHex } from "viem/utils";
import { activityContracts } from "../../../src/connectors/polymarket/activity/contracts.ts";
import { activityTopics } from "../../../src/connectors/polymarket/chain/activity-topics.ts";

const FROM = "0x00000000000000000000000000000000000000a1";
const TO = "0x00000000000000000000000000000000000000b2";

export const blockHash = (block: number): Hex => padHex(numberToHex(block + 1), { size: 32 });

/** A node's log of a transfer between two wallets, in a transaction of its own: one token, or a batch of many. */
export function movedLog(block: number, index: number, values: readonly bigint[]) {
  const isOne = values.length === 1;
  const types = (isOne ? ["uint256", "uint256"] : ["uint256[]", "uint256[]"]).map((type) => ({ type }));
  const ids = values.map((_, place) => BigInt(place + 1));
  const parties = [FROM, FROM, TO] as const;
  return {
    address: activityContracts.conditionalTokens,
    topics: [
      isOne ? activityTopics.movedOne : activityTopics.movedMany,
      ...parties.map((party) => padHex(party, { size: 32 })),
    ],
    data: encodeAbiParameters(types, isOne ? [ids[0], values[0]] : [ids, values]),
    blockNumber: numberToHex(block),
    blockHash: blockHash(block),
    transactionHash: padHex(numberToHex(1_000_000 * block + index), { size: 32 }),
    logIndex: numberToHex(index),
  };
}
