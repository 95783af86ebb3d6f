/** A time span in Unix ms; `from` may be -Infinity. */
export type Span = { readonly from: number; readonly to: number };

/** Sorts spans and merges those that touch or overlap. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: { from: number; to: number }[] = [];
  for (const span of spans.filter(({ from, to }) => to >= from).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

/** Subtracts holes from spans; holes must be sorted and disjoint, as `mergeSpans` returns them. */
export function without(spans: readonly Span[], holes: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const parts: Span[] = [];
    let from = span.from;
    for (const hole of holes.filter((one) => one.to > span.from && one.from < span.to)) {
      if (hole.from > from) parts.push({ from, to: hole.from });
      from = Math.max(from, hole.to);
    }
    return from < span.to ? [...parts, { from, to: span.to }] : parts;
  });
}
