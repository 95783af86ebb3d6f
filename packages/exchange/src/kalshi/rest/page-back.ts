/** A page, newest first, of a list sorted oldest first. */
interface BackPage<T> {
  items: T[];
  /** Index of the last item returned; undefined when the page is not full, that is, nothing is left. */
  last: number | undefined;
}

/** Scans `list` down from index `before` (excluded) to `from` (included) and takes up to `limit` items that pass. */
export function pageBack<T>(
  list: readonly T[],
  bounds: { before: number; from: number },
  limit: number,
  keep: (item: T) => boolean,
): BackPage<T> {
  const items: T[] = [];
  for (let index = Math.min(bounds.before, list.length) - 1; index >= bounds.from; index -= 1) {
    const item = list[index];
    if (item === undefined || !keep(item)) continue;
    items.push(item);
    if (items.length === limit) return { items, last: index };
  }
  return { items, last: undefined };
}
