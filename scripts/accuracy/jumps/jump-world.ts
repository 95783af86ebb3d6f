import { createWorld } from "../../../packages/exchange/src/world/create-world.ts";
import type { PolymarketMarket } from "../../../packages/exchange/src/world/contract.ts";
import type { WorldSize } from "../world-store.ts";
import { matchRate, MinuteLog } from "./minute-log.ts";

/** A dated jump of the true value of a market's YES; `size` in USD, signed. */
export type TrueJump = {
  readonly market: string;
  readonly ms: number;
  readonly size: number;
  readonly perMinute: number;
};

export type JumpWorld = {
  readonly from: Date;
  readonly to: Date;
  readonly minutes: MinuteLog;
  readonly markets: readonly PolymarketMarket[];
  readonly jumps: readonly TrueJump[];
};

const DAY = 86_400_000;
/** A jump this close to the end of trading leaves no time for it to show. */
const MIN_LEFT_MS = 15 * 60_000;
const FROM = Date.UTC(2026, 5, 1);

/** A world of standing markets; the short up/down series have no dated jumps and are omitted. */
export function makeJumpWorld({ seed, days, events, activity }: WorldSize): JumpWorld {
  const minutes = new MinuteLog();
  const to = FROM + days * DAY;
  const world = createWorld({
    seed,
    clock: () => to,
    from_ms: FROM,
    days,
    events,
    activity,
    wallets: 1000,
    kalshi_markets: 1,
    v2_from_ms: FROM,
    listener: minutes.receive,
  });
  const markets = world.polymarket.markets.filter(({ event }) => event.series === null);
  const ends = new Map<string, number>(markets.map(({ condition_id, end_ms }) => [condition_id, end_ms]));
  const jumps = world
    .jumps()
    .filter(({ venue, market, ms }) => venue === "polymarket" && (ends.get(market) ?? 0) >= ms + MIN_LEFT_MS)
    .map(({ ms, market, before_e4, after_e4 }) => {
      return { market, ms, size: (after_e4 - before_e4) / 10_000, perMinute: matchRate(minutes, market, ms) };
    });
  return { from: new Date(FROM), to: new Date(to), minutes, markets, jumps };
}
