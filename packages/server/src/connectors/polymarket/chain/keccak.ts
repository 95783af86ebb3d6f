import { keccak_256 } from "@noble/hashes/sha3";

/** Keccak-256 of bytes, given as 0x-hex and joined, as 0x-hex. */
export const keccak = (...parts: readonly string[]): string =>
  toHex(keccak_256(Buffer.from(parts.map((part) => part.slice(2)).join(""), "hex")));

/** A number as a word of 32 bytes, 0x-hex. */
export const toWord = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`;

/** The first topic of an event's logs, by its declaration in Solidity: the hash of its name and the types of its parameters. */
export function topicOf(event: string): string {
  const [, name = "", parameters = ""] = /^event (\w+)\((.*)\)$/.exec(event) ?? [];
  if (name === "") throw new TypeError(`${event} declares no event`);
  const types = parameters.split(", ").map((parameter) => parameter.split(" ", 1)[0]);
  return toHex(keccak_256(Buffer.from(`${name}(${types.join(",")})`)));
}

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
