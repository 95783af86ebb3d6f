import type { Sweep } from "../../definition/sweep.ts";
import { oldSweep } from "./drop-old.ts";
import { unmatchedSweep } from "./drop-unmatched.ts";
import { erasureSweep } from "./erase-removed.ts";
import { maskSweep } from "./mask-sweep.ts";

/** All that takes posts away. */
export const socialSweeps = (kept: { readonly days: number; readonly unmatchedHours: number }): readonly Sweep[] => [
  erasureSweep,
  unmatchedSweep(kept.unmatchedHours),
  oldSweep(kept.days),
  maskSweep,
];
