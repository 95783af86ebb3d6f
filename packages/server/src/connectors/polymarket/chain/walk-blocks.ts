import type { Batch, PullOptions } from "../../../definition/connector.ts";
import { isoSeconds } from "../exact/iso-seconds.ts";
import type { ChainStream } from "./chain-stream.ts";
import { firstReadable } from "./first-readable.ts";
import { isWrongShape } from "./is-wrong-shape.ts";
import { readBlock } from "./read-block.ts";
import { type ReadRange, readRange } from "./read-range.ts";

const FIRST_WIDTH = 200;
/** A single block that is refused this far behind the head is one the node has thrown away. */
const PRUNED_BEHIND = 1000;

/**
 * Blocks `from` to `to`, a range a batch; the last batch is caught up. Where the node has thrown the history away the
 * walk goes on at what it has and says which time is missing; `fromIso` is the moment of `from` when known.
 */
export async function* walkBlocks(
  stream: ChainStream,
  { feed, signal }: PullOptions,
  [from, to]: readonly [number, number],
  fromIso: string | undefined,
): AsyncGenerator<Batch, void, void> {
  let next = from;
  let width = FIRST_WIDTH;
  let lastIso = fromIso;
  while (next <= to && !signal.aborted) {
    const range = await readRange(feed, stream, [next, to], width).catch((error: unknown) => {
      if (isWrongShape(error) || signal.aborted || to - next < PRUNED_BEHIND) throw error;
      return error;
    });
    if (!isRange(range)) {
      const readable = await firstReadable(feed, stream, next, to);
      if (readable === undefined || readable === next) throw range;
      const at = isoSeconds((await readBlock(feed, readable)).timestamp);
      const reason = `the node gives no logs of blocks ${next} to ${readable - 1}`;
      yield { rows: [], cursor: { block: readable - 1, at }, gap: { from: lastIso ?? at, to: at, reason } };
      next = readable;
      continue;
    }
    width = range.width;
    next = range.to + 1;
    lastIso = isoSeconds(range.last.timestamp);
    yield {
      rows: range.rows,
      cursor: { block: range.to, at: lastIso },
      reached: lastIso,
      ...(next > to ? { isCaughtUp: true } : {}),
    };
  }
}

function isRange(value: unknown): value is ReadRange {
  return typeof value === "object" && value !== null && "rows" in value && "width" in value;
}
