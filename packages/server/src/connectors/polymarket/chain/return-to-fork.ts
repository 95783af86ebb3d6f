import type { Batch, Feed } from "../../../definition/connector.ts";
import { isoSeconds } from "../exact/iso-seconds.ts";
import { type ChainPlace, writePlace } from "./chain-place.ts";
import { findFork } from "./find-fork.ts";
import { readBlock } from "./read-block.ts";

/** Where the chain is another one than was read, how much before the oldest known block may be of the other one, too. */
const UNKNOWN_MS = 86_400_000;

export type Returned = {
  readonly place: ChainPlace;
  /** To be stored before anything is read: a walk that is cut off begins here again, whatever the chain does then. */
  readonly batch?: Batch;
};

/** Goes back to the newest block that is of the chain as it is now; stays where the chain is the same. */
export async function returnToFork(feed: Feed, place: ChainPlace, head: number): Promise<Returned> {
  const fork = await findFork(feed, place, head);
  if (fork === "same") return { place };
  const stored = Math.max(place.block, place.stored ?? 0);
  if (fork !== "unknown") {
    const marks = place.marks.filter(({ number }) => number <= fork.number);
    const back = { block: fork.number, at: isoSeconds(fork.timestamp), marks, stored };
    return {
      place: back,
      batch: { rows: [], cursor: writePlace(back), reached: back.at, notices: [notice(place, back)] },
    };
  }
  const oldest = Math.min(head, place.marks[0]?.number ?? place.block);
  const at = isoSeconds((await readBlock(feed, Math.max(0, oldest - 1))).timestamp);
  const back = { block: oldest - 1, at, marks: [], stored };
  const from = isoSeconds(Math.floor((Date.parse(at) - UNKNOWN_MS) / 1000));
  const reason = `the chain is another one than was read, from before block ${oldest} on`;
  return {
    place: back,
    batch: {
      rows: [],
      cursor: writePlace(back),
      reached: at,
      gap: { from, to: at, reason },
      notices: [notice(place, back)],
    },
  };
}

function notice(from: ChainPlace, to: ChainPlace) {
  const text = `Polygon was reorganised: ${from.block - to.block} blocks are read again`;
  return { kind: "upstream_note" as const, text, count: 1 };
}
