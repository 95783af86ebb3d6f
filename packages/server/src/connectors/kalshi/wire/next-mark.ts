/**
 * From when on changes are asked for next, Unix seconds: the latest moment that the rows of the last walk told (0 where
 * they told none, which goes on from the walk's start), or the mark before where there were no rows.
 */
export function nextMark(
  before: number,
  walk: { readonly rows: number; readonly latest: number },
  startedAt: number,
): number {
  if (walk.rows === 0) return before;
  return walk.latest === 0 ? startedAt : Math.max(before, walk.latest);
}
