import type { Rng } from "../core/rng.ts";
import { HOSTILE } from "./talk-words.ts";

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** Now and then a text with what breaks careless readers, or one that is very long. */
export function spoilText(text: string, rng: Rng): string {
  if (!rng.chance(0.006)) return text;
  if (rng.chance(0.2)) return `${text} ${"and on and on ".repeat(700)}`;
  return `${text} ${rng.pick(HOSTILE)}`;
}

/** What an author says the moment was: mostly right to the second, now and then minutes or years off. */
export function declareTime(at: number, rng: Rng): number {
  const turn = rng.unit();
  if (turn < 0.01) return Math.round(at + (rng.chance(0.5) ? -1 : 1) * rng.between(1, 12) * YEAR);
  if (turn < 0.04) return Math.round(at + rng.between(-30, 30) * MINUTE);
  return Math.round(at - rng.between(0, 900));
}
