import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { WorldSize } from "../accuracy.ts";
import { type JumpMarket, type JumpWorld, makeJumpWorld, type TrueJump } from "./jump-world.ts";
import { type KeptMinutes, MinuteLog } from "./minute-log.ts";

type Kept = KeptMinutes & {
  readonly from: number;
  readonly to: number;
  readonly markets: readonly JumpMarket[];
  readonly jumps: readonly TrueJump[];
};

/** A world of jumps: the one that is kept in the folder given, else a new one, which is then kept there. */
export function jumpWorldOf({ seed, days, events = 60, activity = 12, keep }: WorldSize): JumpWorld {
  if (keep === undefined) return makeJumpWorld(seed, { days, events, activity });
  const file = join(keep, `jumps-${seed}-${days}-${events}-${activity}.bin`);
  if (existsSync(file)) return fromKept(deserialize(readFileSync(file)));
  const world = makeJumpWorld(seed, { days, events, activity });
  const { from, to, minutes, markets, jumps } = world;
  const kept: Kept = { from: from.getTime(), to: to.getTime(), markets, jumps, ...minutes.toKeep() };
  mkdirSync(keep, { recursive: true });
  writeFileSync(file, serialize(kept));
  return world;
}

function fromKept({ from, to, markets, jumps, candles, quotes, matches }: Kept): JumpWorld {
  return {
    from: new Date(from),
    to: new Date(to),
    markets,
    jumps,
    minutes: new MinuteLog({ candles, quotes, matches }),
  };
}
