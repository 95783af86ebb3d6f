import type { World } from "../../packages/exchange/src/world/world.ts";
import { DATA_LAG_MS } from "../verify/fills.ts";

/** The second look at the Data API lies three minutes behind the newest fill it has brought, whose second must be over. */
const BEHIND_MS = 181_000;
/** In a quiet world minutes go by between two fills; for longer than this nobody waits for one. */
export const LONGEST_CALM_MS = 1_200_000;

/**
 * Whether the world has brought a fill behind which the second look at the Data API gets to this moment, and to the
 * first fill, at which its stream begins.
 */
export function canLookTo(ms: number, world: World): boolean {
  const visibleMs = world.reached() - DATA_LAG_MS;
  const { matches } = world.polymarket;
  const newest = matches.findLast(({ block_ms }) => block_ms <= visibleMs);
  return newest !== undefined && newest.block_ms - BEHIND_MS >= Math.max(ms, matches[0]?.block_ms ?? ms);
}
