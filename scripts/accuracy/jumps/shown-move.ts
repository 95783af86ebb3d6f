import type { JumpMarket, JumpWorld, TrueJump } from "./jump-world.ts";
import { LATEST_BEGIN_MS } from "./match-jumps.ts";

const MINUTE = 60_000;
/** As long as half of a move may be given back: ten buckets of five minutes. */
const GIVEN_BACK_MS = 50 * MINUTE;

/** Middles of the quotes of a market's first outcome between two moments, oldest first. */
const middles = ({ minutes }: JumpWorld, { token_ids }: JumpMarket, from: number, to: number): number[] =>
  minutes.middles(token_ids[0], Math.floor(from / MINUTE), Math.floor(to / MINUTE));

/** How far (USD) the middle of the quotes went in the direction of a jump within the time in which an alarm may begin. */
export function shownMove(world: JumpWorld, market: JumpMarket, { ms, size }: TrueJump): number {
  const before = middles(world, market, market.created_ms, ms - MINUTE).at(-1);
  if (before === undefined) return 0;
  const after = middles(world, market, ms, ms + LATEST_BEGIN_MS);
  return Math.max(0, ...after.map((middle) => (middle - before) * Math.sign(size)));
}

/** Whether a move of the first outcome's price that ended at `to` (ms) was half given back soon after. */
export function isGivenBack(
  world: JumpWorld,
  market: JumpMarket,
  move: { readonly to: number; readonly before: number; readonly after: number },
): boolean {
  const half = (move.before + move.after) / 2;
  const next = middles(world, market, move.to, move.to + GIVEN_BACK_MS);
  return next.some((middle) => (move.after > move.before ? middle <= half : middle >= half));
}
