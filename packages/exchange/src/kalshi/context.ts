import type { World } from "../world/world.ts";

/** What every route and channel of the Kalshi door works on. */
export interface KalshiContext {
  world: World;
  /** How far below the cutoff the live tier still answers, ms: there both tiers have the same record. */
  overlap_ms: number;
}
