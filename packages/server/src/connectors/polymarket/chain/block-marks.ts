import type { ChainBlock } from "./block-wire.ts";

/** A block that was read, with the beginning of its hash. Oldest first where there are several. */
export type BlockMark = { readonly number: number; readonly hash: string };

const HASH_CHARS = 12;
/** Each of the newest blocks is kept; older ones at growing distances, back to about half a day. */
const EACH_OF = 64;
const FURTHEST = 30_000;
const SHARE = 8;

export function markOf({ number, hash }: Pick<ChainBlock, "number" | "hash">): BlockMark {
  return { number, hash: hash.slice(2, 2 + HASH_CHARS) };
}

export function isMarked(mark: BlockMark, hash: string): boolean {
  return hash.slice(2, 2 + HASH_CHARS) === mark.hash;
}

/** The marks with newer ones in place of what they had from there on; about a hundred stay. */
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

/** As a cursor holds them: `number:hash` with blanks between. */
export function writeMarks(marks: readonly BlockMark[]): string {
  return marks.map(({ number, hash }) => `${number}:${hash}`).join(" ");
}

export function readMarks(text: unknown): readonly BlockMark[] {
  if (typeof text !== "string") return [];
  return [...text.matchAll(/(\d+):([0-9a-f]+)/g)].map(([, number, hash = ""]) => ({ number: Number(number), hash }));
}
