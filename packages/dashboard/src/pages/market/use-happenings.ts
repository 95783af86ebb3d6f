import type { Coverage } from "@almanac/client";
import { useMemo } from "react";
import { useRows } from "../../read/use-rows.ts";
import { happeningsOf, type Happening, type JumpRow, type PostRow } from "./happenings.ts";
import type { useShownRange } from "./use-shown-range.ts";

const [JUMPS, PULSE] = [596, 585];
const [MOST_JUMPS, MOST_POSTS] = [100, 200];
const JUMP_BUCKETS = new Set(["1m", "5m", "15m", "1h", "4h", "1d"]);

type Asked = {
  readonly conditionId: string;
  readonly tokenId: string;
  readonly leastPct: string;
  readonly from: number;
};

type Happenings = {
  readonly all: readonly Happening[];
  readonly errors: readonly Error[];
  readonly isPending: boolean;
  readonly coverages: readonly Coverage[];
  /** What is left out of the range because a page was full, in words. */
  readonly cuts: readonly string[];
};

/** Price jumps of a token and posts about its market, in the range that is looked at. */
export function useHappenings(asked: Asked, { seconds, interval }: ReturnType<typeof useShownRange>): Happenings {
  const { conditionId, tokenId, leastPct, from } = asked;
  const hours = String(seconds / 3600);
  const resolution = JUMP_BUCKETS.has(interval) ? interval : "1d";
  const jumps = useRows<JumpRow>(
    JUMPS,
    { token_id: tokenId, resolution, lookback_hours: hours, min_change_pct: leastPct },
    { limit: MOST_JUMPS },
  );
  const posts = useRows<PostRow>(PULSE, { condition_id: conditionId, hours_back: hours }, { limit: MOST_POSTS });
  const all = useMemo(
    () => happeningsOf(jumps.data?.results ?? [], posts.data?.results ?? [], from),
    [jumps.data, posts.data, from],
  );
  return {
    all,
    errors: [jumps.error, posts.error].filter((error) => error !== null),
    isPending: jumps.isPending || posts.isPending,
    coverages: [jumps.data?.coverage, posts.data?.coverage].filter((one) => one !== undefined),
    cuts: [
      ...(jumps.data?.pagination.hasMore
        ? [`The newest ${jumps.data.results.length} jumps; take larger ones to see all.`]
        : []),
      ...(posts.data?.pagination.hasMore
        ? [`The newest ${posts.data.results.length} posts; take a shorter range to see all.`]
        : []),
    ],
  };
}
