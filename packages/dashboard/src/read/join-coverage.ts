import type { Coverage } from "@almanac/client";

/**
 * Combined coverage of a page and the one that follows: complete only if both are. The stored range is that of the
 * first, as the rows of a walk are.
 */
export function joinCoverage(first: Coverage, next: Coverage): Coverage {
  const gaps = [...first.gaps, ...next.gaps].map((gap) => [`${gap.from} ${gap.to} ${gap.reason}`, gap] as const);
  return {
    ...first,
    complete: first.complete && next.complete,
    gaps: [...new Map(gaps).values()],
    reasons: [...new Set([...first.reasons, ...next.reasons])],
  };
}
