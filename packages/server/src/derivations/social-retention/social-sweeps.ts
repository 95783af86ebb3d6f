import type { Sweep } from "../../definition/sweep.ts";
import { oldSweep } from "./drop-old.ts";
import { unmatchedSweep } from "./drop-unmatched.ts";
import { erasureSweep } from "./erase-removed.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { applyMasks } from "./apply-masks.ts";

const PARTITIONS_A_TURN = 50;

/** What was deleted leaves the disk within a day; merges take most of it earlier. */
const maskSweep: Sweep = {
  name: "social-masks",
  title: "Deleted posts on the disk",
  of: socialPosts,
  everySeconds: 86_400,
  sweep: async (store) => {
    const { isDone } = await applyMasks(store, { most: PARTITIONS_A_TURN });
    return { rows: 0, isDone };
  },
};

/** All that takes posts away. */
export const socialSweeps = (kept: { readonly days: number; readonly unmatchedHours: number }): readonly Sweep[] => [
  erasureSweep,
  unmatchedSweep(kept.unmatchedHours),
  oldSweep(kept.days),
  maskSweep,
];
