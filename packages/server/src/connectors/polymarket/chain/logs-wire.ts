import { lowerTextIn, rowsOf, secondsIn, textIn } from "../../../definition/rows-of.ts";
import { type ChainLog, logWire, logWords } from "./logs.ts";
import { activityEvents, activityTopics } from "./activity-topics.ts";
import { exchangeEvents } from "./exchange-events.ts";
import { readEvent, topicOf } from "./keccak.ts";
import { agents, exchanges } from "../activity/contracts.ts";

/**
 * The minimum a log of an event must have: topics, including the first, and 32-byte words of data. `lists` are the
 * words with the offsets of its arrays, which all have the same length; `bytes` parameters are not read.
 */
type LogShape = { readonly topics: number; readonly words: number; readonly lists: readonly number[] };

function shapeOf(event: string): LogShape {
  const { parameters } = readEvent(event);
  const data = parameters.filter(({ type, isIndexed }) => !isIndexed && type !== "bytes");
  const lists = data.flatMap(({ type }, place) => (type.endsWith("[]") ? [place] : []));
  const topics = 1 + parameters.filter(({ isIndexed }) => isIndexed).length;
  return { topics, words: data.length + lists.length, lists };
}

/**
 * First topic → shape, of the decoded events: a log too short to decode is detected here so that only its transaction
 * is skipped.
 */
const logShapes: ReadonlyMap<string, LogShape> = new Map(
  Object.values({ ...exchangeEvents, ...activityEvents }).map((event) => [topicOf(event), shapeOf(event)]),
);

const WORD_CHARS = 64;
/** The most that a reply of 8 MiB can contain. */
const MAX_LOGS = 20_000;

const decodable = logWire.superRefine((log, context) => {
  const shape = logShapes.get(log.topics[0] ?? "");
  if (shape === undefined) return;
  if (log.topics.length < shape.topics) {
    context.addIssue({ code: "custom", path: ["topics"], message: `${shape.topics} topics expected` });
  }
  if (log.data.length < 2 + shape.words * WORD_CHARS) {
    context.addIssue({ code: "custom", path: ["data"], message: `${shape.words} words of data expected` });
  } else if (!hasLists(log, shape.lists)) {
    context.addIssue({ code: "custom", path: ["data"], message: "complete lists of equal length expected" });
  }
});

function hasLists(log: ChainLog, places: readonly number[]): boolean {
  try {
    return new Set(places.map((place) => logWords.lengthAt(log, place))).size <= 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The reply of `eth_getLogs`. The logs of a transaction are read together or not at all, because their meaning depends
 * on each other.
 */
export const logsWire = rowsOf(
  decodable,
  {
    at: secondsIn("blockTimestamp"),
    key: { tx_hash: lowerTextIn("transactionHash") },
    group: textIn("transactionHash"),
    isSkipped: isTradeMove,
  },
  MAX_LOGS,
);

const MOVES: ReadonlySet<unknown> = new Set([activityTopics.movedOne, activityTopics.movedMany]);
const ADDRESS_CHARS = 40;

/**
 * Whether a log is a move by which an exchange settles a trade, which the fills already contain. These are most of
 * ConditionalTokens' logs. Moves from and to an agent are kept: they name the wallet that the agent acted for.
 */
export function isTradeMove({ topics }: { readonly topics?: unknown }): boolean {
  if (!Array.isArray(topics) || topics.length !== 4) return false;
  const [event, operator, from, to] = topics as unknown[];
  return (
    MOVES.has(event) && exchanges.has(addressOf(operator)) && !agents.has(addressOf(from)) && !agents.has(addressOf(to))
  );
}

const addressOf = (topic: unknown): string =>
  typeof topic === "string" ? `0x${topic.slice(-ADDRESS_CHARS).toLowerCase()}` : "";
