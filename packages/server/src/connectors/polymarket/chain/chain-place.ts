import type { Cursor } from "../../../definition/connector.ts";
import type { ChainBlock } from "./logs.ts";

/** A block that was read, with the beginning of its hash. Lists are oldest first. */
export type BlockMark = { readonly number: number; readonly hash: string };

const HASH_CHARS = 12;
/** The newest blocks are all kept; older ones at growing distances, back to about half a day. */
const EACH_OF = 64;
const FURTHEST = 30_000;
const SHARE = 8;

export function markOf({ number, hash }: Pick<ChainBlock, "number" | "hash">): BlockMark {
  return { number, hash: hash.slice(2, 2 + HASH_CHARS) };
}

export function isMarked(mark: BlockMark, hash: string): boolean {
  return hash.slice(2, 2 + HASH_CHARS) === mark.hash;
}

/** Replaces the marks from the first newer one on; about a hundred are kept. */
export function addMarks(marks: readonly BlockMark[], newer: readonly BlockMark[]): readonly BlockMark[] {
  const first = newer[0]?.number ?? Number.POSITIVE_INFINITY;
  const all = [...marks.filter(({ number }) => number < first), ...newer];
  const top = all.at(-1)?.number ?? 0;
  const kept: BlockMark[] = [];
  for (const mark of all.toReversed()) {
    const depth = top - mark.number;
    if (depth > FURTHEST) break;
    const step = (kept.at(-1)?.number ?? mark.number) - mark.number;
    if (depth < EACH_OF || step >= depth / SHARE) kept.push(mark);
  }
  return kept.toReversed();
}

/** The cursor form of marks: `number:hash` separated by blanks. */
function writeMarks(marks: readonly BlockMark[]): string {
  return marks.map(({ number, hash }) => `${number}:${hash}`).join(" ");
}

function readMarks(text: unknown): readonly BlockMark[] {
  if (typeof text !== "string") return [];
  return [...text.matchAll(/(\d+):([0-9a-f]+)/g)].map(([, number, hash = ""]) => ({ number: Number(number), hash }));
}

/** Progress of a walk: up to `block`, whose time is `at` (ISO). */
export type ChainPlace = {
  readonly block: number;
  readonly at: string | undefined;
  readonly marks: readonly BlockMark[];
  /** Rows of an abandoned fork may be stored up to this block; absent if there are none beyond `block`. */
  readonly stored?: number;
  /** The Unix second up to which a live walk has looked for transactions that the chain does not have. */
  readonly confirmed?: number;
};

export function readPlace(cursor: Cursor | undefined): ChainPlace | undefined {
  const { block, at, marks, stored, confirmed } = cursor ?? {};
  if (typeof block !== "number") return undefined;
  return {
    block,
    at: typeof at === "string" ? at : undefined,
    marks: readMarks(marks),
    ...(typeof stored === "number" && stored > block ? { stored } : {}),
    ...(typeof confirmed === "number" ? { confirmed } : {}),
  };
}

export function writePlace({ block, at, marks, stored = 0, confirmed }: ChainPlace): Cursor {
  return {
    block,
    ...(at === undefined ? {} : { at }),
    marks: writeMarks(marks),
    ...(stored > block ? { stored } : {}),
    ...(confirmed === undefined ? {} : { confirmed }),
  };
}
