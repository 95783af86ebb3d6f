import type { World } from "../../packages/exchange/src/world/world.ts";
import { DATA_LAG_MS } from "../verify/fills.ts";

/** The Data API check stream trails its newest fill by three minutes, and that fill's second must be over. */
const BEHIND_MS = 181_000;
/** Minutes may pass between two fills in a quiet world; a run waits for one no longer than this. */
export const MAX_CALM_MS = 1_200_000;

/**
 * Whether the world has a fill recent enough for the Data API check stream to pass both `ms` and the first fill, at
 * which the stream begins.
 */
export function canLookTo(ms: number, world: World): boolean {
  const visibleMs = world.reached() - DATA_LAG_MS;
  const { matches } = world.polymarket;
  const newest = matches.findLast(({ block_ms }) => block_ms <= visibleMs);
  return newest !== undefined && newest.block_ms - BEHIND_MS >= Math.max(ms, matches[0]?.block_ms ?? ms);
}
