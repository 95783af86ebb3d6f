import type { Coverage } from "@almanac/client";

/**
 * What the rows of a page and of the one that follows may lack, together: complete only where both are. What was stored
 * is as of the first one, as the rows of a walk are.
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
