import { keccak_256 } from "@noble/hashes/sha3";

/** Keccak-256 of concatenated bytes, from 0x-hex to 0x-hex. */
export const keccak = (...parts: readonly string[]): string =>
  toHex(keccak_256(Buffer.from(parts.map((part) => part.slice(2)).join(""), "hex")));

/** A number as a 32-byte word, 0x-hex. */
export const toWord = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`;

/** A parameter of an event: its type in Solidity, and whether its value is a topic of the log or in its data. */
type EventParameter = { readonly type: string; readonly isIndexed: boolean };

/** Parses an event's declaration in Solidity. */
export function readEvent(event: string): { readonly name: string; readonly parameters: readonly EventParameter[] } {
  const [, name = "", parameters = ""] = /^event (\w+)\((.*)\)$/.exec(event) ?? [];
  if (name === "") throw new TypeError(`${event} declares no event`);
  const words = parameters.split(", ").map((parameter) => parameter.split(" "));
  return { name, parameters: words.map(([type = "", second]) => ({ type, isIndexed: second === "indexed" })) };
}

/** The first topic of an event's logs: the hash of its name and the types of its parameters. */
export function topicOf(event: string): string {
  const { name, parameters } = readEvent(event);
  return toHex(keccak_256(Buffer.from(`${name}(${parameters.map(({ type }) => type).join(",")})`)));
}

export const topicsOf = <Name extends string>(events: Readonly<Record<Name, string>>): Readonly<Record<Name, string>> =>
  Object.fromEntries(Object.entries<string>(events).map(([name, event]) => [name, topicOf(event)])) as Record<
    Name,
    string
  >;

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;
