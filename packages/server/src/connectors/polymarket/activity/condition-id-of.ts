import { concat, type Hex, keccak256, numberToHex } from "viem";

/** ConditionalTokens.getConditionId for two outcomes. */
export function conditionIdOf(oracle: string, questionId: string): string {
  return keccak256(concat([oracle as Hex, questionId as Hex, numberToHex(2, { size: 32 })]));
}
