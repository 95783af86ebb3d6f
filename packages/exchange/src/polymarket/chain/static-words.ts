import type { AbiParameter } from "viem";
import type { AbiValue } from "../../world/chain-contract.ts";

const oneWord = /^(?:u?int\d*|address|bool|bytes32)$/;

/** Whether a parameter is exactly one word of ABI encoding. */
export function isOneWord(input: AbiParameter): boolean {
  return oneWord.test(input.type);
}

/**
 * One word (64 hex digits, no 0x) of a value that is never negative. Blocks are full of such values and viem's general
 * encoder takes thirty times as long over them.
 */
export function wordOf(value: AbiValue): string {
  if (typeof value === "boolean") return value ? "1".padStart(64, "0") : "0".padStart(64, "0");
  const digits = typeof value === "string" ? value.slice(2).toLowerCase() : (value as bigint | number).toString(16);
  return digits.padStart(64, "0");
}
