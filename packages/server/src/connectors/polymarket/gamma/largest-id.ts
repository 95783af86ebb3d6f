import type { Learned } from "./catalogue-turn.ts";

/** Learns the largest of Gamma's own ids, which follow creation. They fit a JavaScript number by far. */
export function largestId(items: readonly { readonly id: string }[], learned: Learned): Learned {
  const seen = items.reduce((largest, item) => Math.max(largest, Number(item.id)), Number(learned["newest_id"] ?? 0));
  return { ...learned, newest_id: seen };
}
