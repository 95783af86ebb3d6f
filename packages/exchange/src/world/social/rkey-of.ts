import type { SocialSource } from "../social-contract.ts";
import { toTid } from "./to-tid.ts";

const X_EPOCH = 1_288_834_974_657;

/** Id of a record at its source, made at that moment; `number` is unique in the world. */
export function rkeyOf(source: SocialSource, us: number, number: number): string {
  if (source === "bluesky") return toTid(us, number);
  if (source === "hackernews") return String(40_000_000 + number);
  if (source === "x") return String((BigInt(Math.floor(us / 1000) - X_EPOCH) << 22n) | BigInt(number & 0x3f_ffff));
  return `article-${number}`;
}
