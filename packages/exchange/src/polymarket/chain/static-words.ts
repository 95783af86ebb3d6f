import type { AbiParameter, Hex } from "viem";
import type { AbiValue } from "../../world/chain-contract.ts";

const words = /^(?:u?int\d*|address|bool|bytes32)(?:\[\])?$/;

/** Whether a parameter is exactly one word of ABI encoding, or an array of such. */
export function isWords(input: AbiParameter): boolean {
  return words.test(input.type);
}

/** ABI encoding of values that `isWords`: arrays follow the rest, each after its length. */
export function encodeWords(values: readonly AbiValue[]): Hex {
  let head = "";
  let tail = "";
  for (const value of values) {
    if (Array.isArray(value)) {
      head += wordOf(values.length * 32 + tail.length / 2);
      tail += wordOf(value.length) + (value as readonly bigint[]).map(wordOf).join("");
    } else head += wordOf(value);
  }
  return `0x${head}${tail}`;
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
