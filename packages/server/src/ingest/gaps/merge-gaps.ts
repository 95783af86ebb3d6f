/** A closed gap for merging; moments are Unix ms. */
export type MergeableGap = {
  readonly id: number;
  readonly instrument: string | null;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly alike: number;
};

export type MergedGap = {
  readonly ids: readonly number[];
  readonly instrument: string | null;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly alike: number;
};

const STEPS_MS = [0, 1000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000, Number.POSITIVE_INFINITY];

/** At most `most` gaps: neighbours become one, those nearest each other first, so that it stays as narrow as it can. */
export function mergeGaps(gaps: readonly MergeableGap[], most: number): readonly MergedGap[] {
  const sorted = gaps.toSorted((a, b) => a.from - b.from);
  for (const step of STEPS_MS) {
    const groups = grouped(sorted, step);
    if (groups.length <= most) return groups.map(toOne);
  }
  return [];
}

function grouped(sorted: readonly MergeableGap[], nearMs: number): MergeableGap[][] {
  const groups: MergeableGap[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const gap of sorted) {
    const last = groups.at(-1);
    if (last && gap.from - nearMs <= end) last.push(gap);
    else groups.push([gap]);
    end = groups.at(-1) === last ? Math.max(end, gap.to) : gap.to;
  }
  return groups;
}

function toOne(group: readonly MergeableGap[]): MergedGap {
  const [first] = group as [MergeableGap];
  const instruments = new Set(group.map(({ instrument }) => instrument));
  const alike = group.reduce((sum, gap) => sum + gap.alike, 0);
  const plain = first.reason.replace(/^\d+ gaps, e\.g\. /, "");
  return {
    ids: group.map(({ id }) => id),
    instrument: instruments.size === 1 ? first.instrument : null,
    from: first.from,
    to: Math.max(...group.map(({ to }) => to)),
    reason:
      alike === 1 ? first.reason : `${alike} gaps, e.g. ${first.instrument ? `${first.instrument}: ` : ""}${plain}`,
    alike,
  };
}
