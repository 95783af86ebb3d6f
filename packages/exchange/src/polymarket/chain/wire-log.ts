import type { AbiEvent, AbiParameter, Hex } from "viem";
import { encodeAbiParameters, toEventSelector } from "viem/utils";
import type { AbiValue, ChainBlock, ChainLog } from "../../world/chain-contract.ts";
import { conditionalTokensAbi, exchangeV1Abi, exchangeV2Abi, negRiskAdapterAbi } from "./events.ts";

const words = /^(?:u?int\d*|address|bool|bytes32)(?:\[\])?$/;

/** Whether a parameter is exactly one word of ABI encoding, or an array of such. */
function isWords(input: AbiParameter): boolean {
  return words.test(input.type);
}

/** ABI-encodes values for which `isWords` holds: arrays follow the rest, each after its length. */
function encodeWords(values: readonly AbiValue[]): Hex {
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
 * Encodes a non-negative value as one word (64 hex digits, no 0x). Blocks are full of such values, and viem's general
 * encoder takes thirty times as long.
 */
function wordOf(value: AbiValue): string {
  if (typeof value === "boolean") return value ? "1".padStart(64, "0") : "0".padStart(64, "0");
  const digits = typeof value === "string" ? value.slice(2).toLowerCase() : (value as bigint | number).toString(16);
  return digits.padStart(64, "0");
}

/** A log as returned by eth_getLogs of a node of 2025 or later, with its block's timestamp. */
export interface WireLog {
  address: Hex;
  topics: Hex[];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  blockTimestamp: Hex;
  transactionHash: Hex;
  transactionIndex: Hex;
  logIndex: Hex;
  removed: boolean;
}

interface Event {
  topic: Hex;
  indexed: readonly AbiParameter[];
  rest: readonly AbiParameter[];
  /** Each of `rest` is one word or an array of words. */
  plain: boolean;
}

const exchange = { V1: byName(exchangeV1Abi), V2: byName(exchangeV2Abi) };
const conditionalTokens = byName(conditionalTokensAbi);
const negRiskAdapter = byName(negRiskAdapterAbi);

/** The topics of a log: the selector of its event, then its indexed arguments as words. */
export function logTopics(log: ChainLog): Hex[] {
  const event = eventOf(log);
  return [event.topic, ...event.indexed.map((input): Hex => `0x${wordOf(argument(log, input))}`)];
}

/** Returns the complete log with its data ABI-encoded. */
export function wireLog(log: ChainLog, topics: Hex[], block: Pick<ChainBlock, "hash" | "timestamp">): WireLog {
  const event = eventOf(log);
  const values = event.rest.map((input) => argument(log, input));
  return {
    address: log.address,
    topics,
    data: event.plain ? encodeWords(values) : encodeAbiParameters(event.rest, values),
    blockNumber: hex(log.block_number),
    blockHash: block.hash,
    blockTimestamp: hex(block.timestamp),
    transactionHash: log.tx_hash,
    transactionIndex: hex(log.tx_index),
    logIndex: hex(log.log_index),
    removed: false,
  };
}

/** Returns the first topic of a log of this contract and event. */
export function firstTopic(log: Pick<ChainLog, "contract" | "event" | "exchange_version">): Hex {
  return eventOf(log).topic;
}

function eventOf(log: Pick<ChainLog, "contract" | "event" | "exchange_version">): Event {
  const events =
    log.contract === "ctf"
      ? conditionalTokens
      : log.contract === "neg_risk_adapter"
        ? negRiskAdapter
        : exchange[log.exchange_version];
  const event = events.get(log.event);
  if (event === undefined) throw new Error(`${log.contract} has no event ${log.event}`);
  return event;
}

function argument(log: ChainLog, input: AbiParameter): AbiValue {
  const value = log.args[input.name ?? ""];
  if (value === undefined) throw new Error(`${log.event} lacks ${String(input.name)}`);
  return value;
}

function hex(number: number): Hex {
  return `0x${number.toString(16)}`;
}

function byName(abi: readonly AbiEvent[]): ReadonlyMap<string, Event> {
  return new Map(
    abi.map((event) => [
      event.name,
      {
        topic: toEventSelector(event),
        indexed: event.inputs.filter((input) => input.indexed === true),
        rest: event.inputs.filter((input) => input.indexed !== true),
        plain: event.inputs.every((input) => input.indexed === true || isWords(input)),
      },
    ]),
  );
}
