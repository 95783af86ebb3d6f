import type { PullConnector } from "../../definition/connector.ts";
import type { FillableGap } from "../control/fill-record.ts";

/** One walk of a stream over a range, for its own gaps or another stream's. */
export type GapWalk = {
  readonly by: PullConnector;
  readonly gaps: readonly FillableGap[];
  /** ISO. */
  readonly range: { readonly from: string; readonly to: string };
};

export type GapPlan = {
  /** Newest first. */
  readonly walks: readonly GapWalk[];
  /** Gaps that no stream can fill, or that all capable streams walked in vain. */
  readonly hopeless: readonly FillableGap[];
};

/** Gaps this close are walked as one. */
const NEAR_MS = 10 * 60_000;
/** The longest walk; the part of a gap before it is left for the next one. */
const MAX_MS = 86_400_000;
const TRIES_A_WAY = 3;
/** A gap's ends are its first and last missing times, but a range excludes its end; sources are precise to seconds. */
const LAST_MS = 1000;

/**
 * Orders gaps (newest first) into walks: each by the first stream that has not tried it; streams alternate after
 * repeated failures. A stream replaced by the gap's own has less detail per row, yet would close the gap: it is used
 * only if no other is left.
 */
export function planWalks(gaps: readonly FillableGap[], waysOf: (stream: string) => readonly PullConnector[]): GapPlan {
  const walks: { by: PullConnector; stream: string; gaps: FillableGap[]; from: number; to: number }[] = [];
  const hopeless: FillableGap[] = [];
  for (const gap of gaps.toSorted((a, b) => b.to - a.to)) {
    const ways = waysOf(gap.stream).filter(({ name }) => !gap.tried.includes(name));
    const whole = ways.filter(({ replacedBy }) => replacedBy !== gap.stream);
    const cycles = whole.length > 0 ? whole : ways;
    const by = cycles[Math.floor(gap.attempts / TRIES_A_WAY) % cycles.length];
    if (by === undefined) {
      hopeless.push(gap);
      continue;
    }
    const near = walks.find(
      (walk) =>
        walk.by === by && walk.stream === gap.stream && gap.to >= walk.from - NEAR_MS && walk.to - gap.from <= MAX_MS,
    );
    const from = Math.max(gap.from, gap.to - MAX_MS);
    if (near === undefined) walks.push({ by, stream: gap.stream, gaps: [gap], from, to: gap.to });
    else {
      near.gaps.push(gap);
      near.from = Math.min(near.from, from);
    }
  }
  return {
    hopeless,
    walks: walks.map(({ by, gaps: of, from, to }) => ({
      by,
      gaps: of,
      range: { from: new Date(from).toISOString(), to: new Date(to + LAST_MS).toISOString() },
    })),
  };
}
