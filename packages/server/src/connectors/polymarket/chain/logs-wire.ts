import { keyOf } from "../../../definition/key-of.ts";
import { rawText } from "../../../definition/raw-text.ts";
import { rowsOf } from "../../../definition/rows-of.ts";
import { logShapes } from "./log-shapes.ts";
import { type ChainLog, logWire } from "./log-wire.ts";
import { logWords } from "./log-words.ts";

const WORD_CHARS = 64;
/** As many as an answer of 64 MiB can hold. */
const MOST_LOGS = 1_000_000;

const decodable = logWire.superRefine((log, context) => {
  const shape = logShapes.get(log.topics[0] ?? "");
  if (shape === undefined) return;
  if (log.topics.length < shape.topics) {
    context.addIssue({ code: "custom", path: ["topics"], message: `${shape.topics} topics were expected` });
  }
  if (log.data.length < 2 + shape.words * WORD_CHARS) {
    context.addIssue({ code: "custom", path: ["data"], message: `${shape.words} words of data were expected` });
  } else if (!hasLists(log, shape.lists ?? [])) {
    context.addIssue({ code: "custom", path: ["data"], message: "whole lists of one length were expected" });
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
 * The answer of `eth_getLogs`. The logs of a transaction are read together or not at all, because what one of them means
 * depends on the others.
 */
export const logsWire = rowsOf(
  decodable,
  {
    at: (raw) => {
      const seconds = rawText(raw["blockTimestamp"]);
      return seconds === undefined ? undefined : Number(seconds) * 1000;
    },
    key: (raw) => keyOf("tx_hash", rawText(raw["transactionHash"])?.toLowerCase()),
    group: (raw) => rawText(raw["transactionHash"]),
  },
  MOST_LOGS,
);
