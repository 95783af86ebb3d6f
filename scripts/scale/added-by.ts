import type { StreamResult } from "../campaign/run-result.ts";
import type { FaultResult } from "./fault-result.ts";
import type { Judged } from "./judge-rows.ts";

type Counts = Pick<FaultResult, "lost" | "doubled" | "wrong" | "admitted" | "undeclared">;

/**
 * What a fault has done. Books are of its own time; of everything else the truth is of the whole world so far, and what
 * was wrong before is not its.
 */
export function addedBy(before: Judged, now: Judged): Counts {
  const twice = Math.max(0, now.doubled.length - before.doubled.length);
  const added = (of: (stream: StreamResult) => number, ofBooks = of): number =>
    Math.max(0, sumOf(now, false, of) - sumOf(before, false, of)) + sumOf(now, true, ofBooks);
  return {
    // A past book that is not answered is no row: the frames it was made of cannot be had again.
    lost: added(
      ({ lost }) => lost,
      () => 0,
    ),
    doubled: added(({ doubled }) => doubled) + twice,
    wrong: added(
      ({ wrong }) => wrong,
      ({ wrong, lost }) => wrong + lost,
    ),
    admitted: added(({ admitted }) => admitted),
    undeclared: added(({ undeclared }) => undeclared),
  };
}

function sumOf({ streams }: Judged, areBooks: boolean, of: (stream: StreamResult) => number): number {
  return streams
    .filter(({ stream }) => stream.endsWith(" books") === areBooks)
    .reduce((total, stream) => total + of(stream), 0);
}
