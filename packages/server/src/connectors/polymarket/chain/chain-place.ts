import type { Cursor } from "../../../definition/connector.ts";
import { type BlockMark, readMarks, writeMarks } from "./block-marks.ts";

/** How far a walk is: up to `block`, which was of the moment `at` (ISO). */
export type ChainPlace = {
  readonly block: number;
  readonly at: string | undefined;
  readonly marks: readonly BlockMark[];
  /** Rows may be stored up to this block, of a chain that is no more; absent where none are beyond `block`. */
  readonly stored?: number;
};

export function readPlace(cursor: Cursor | undefined): ChainPlace | undefined {
  const { block, at, marks, stored } = cursor ?? {};
  if (typeof block !== "number") return undefined;
  return {
    block,
    at: typeof at === "string" ? at : undefined,
    marks: readMarks(marks),
    ...(typeof stored === "number" && stored > block ? { stored } : {}),
  };
}

export function writePlace({ block, at, marks, stored = 0 }: ChainPlace): Cursor {
  return {
    block,
    ...(at === undefined ? {} : { at }),
    marks: writeMarks(marks),
    ...(stored > block ? { stored } : {}),
  };
}
