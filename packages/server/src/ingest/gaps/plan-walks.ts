import type { PullConnector } from "../../definition/connector.ts";
import type { FillableGap } from "../control/fill-record.ts";

/** One walk of a stream over a range, for gaps of it or of another stream. */
export type GapWalk = {
  readonly by: PullConnector;
  readonly gaps: readonly FillableGap[];
  /** ISO. */
  readonly range: { readonly from: string; readonly to: string };
};

export type GapPlan = {
  /** Newest first. */
  readonly walks: readonly GapWalk[];
  /** Gaps that no stream can fill, or that all who could have walked in vain. */
  readonly hopeless: readonly FillableGap[];
};

/** Gaps this near each other are walked as one. */
const NEAR_MS = 10 * 60_000;
/** The longest walk; what of a gap lies before it is left for the next one. */
const LONGEST_MS = 86_400_000;
const TRIES_A_WAY = 3;
/** The moments of a gap are its first and last missing ones, a range's end is not in it; sources tell seconds. */
const LAST_MS = 1000;

/**
 * Orders gaps (newest first) into walks: each by the first way not tried in vain; one that keeps failing takes turns. A
 * stream that the gap's own replaces knows less of each row, and would end the gap: it is asked only for what no other has.
 */
export function planWalks(gaps: readonly FillableGap[], waysOf: (stream: string) => readonly PullConnector[]): GapPlan {
  const walks: { by: PullConnector; stream: string; gaps: FillableGap[]; from: number; to: number }[] = [];
  const hopeless: FillableGap[] = [];
  for (const gap of gaps.toSorted((a, b) => b.to - a.to)) {
    const ways = waysOf(gap.stream).filter(({ name }) => !gap.tried.includes(name));
    const whole = ways.filter(({ replacedBy }) => replacedBy !== gap.stream);
    const turns = whole.length > 0 ? whole : ways;
    const by = turns[Math.floor(gap.attempts / TRIES_A_WAY) % turns.length];
    if (by === undefined) {
      hopeless.push(gap);
      continue;
    }
    const near = walks.find(
      (walk) =>
        walk.by === by &&
        walk.stream === gap.stream &&
        gap.to >= walk.from - NEAR_MS &&
        walk.to - gap.from <= LONGEST_MS,
    );
    const from = Math.max(gap.from, gap.to - LONGEST_MS);
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
