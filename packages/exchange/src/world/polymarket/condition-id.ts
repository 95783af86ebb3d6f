import { concat, keccak256, numberToHex } from "viem/utils";
import type { Hex } from "../contract.ts";

/** ConditionalTokens.getConditionId for two outcomes. */
export function conditionId(oracle: Hex, questionId: Hex): Hex {
  return keccak256(concat([oracle, questionId, numberToHex(2, { size: 32 })]));
}
