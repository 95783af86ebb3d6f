import type { Stance } from "../../definition/social-source.ts";
import { directionOf } from "./price-direction.ts";
import { sideOf } from "./traded-side.ts";
import { toTradeTokens } from "./trade-tokens.ts";

const MOST_TEXT = 2000;
const MOST_SENTENCES = 40;
const SENTENCE_END = /(?<=[.!?…])\s+|\n+/u;

/**
 * What a text says to do or expects of a market: buying or having bought a side ("selling No" is buying Yes), else that
 * its price went up or down. "none" where it says nothing of the kind, asks, denies, or says both. Rules of English.
 */
export function stanceOf(text: string): Stance {
  const sentences = text.slice(0, MOST_TEXT).split(SENTENCE_END).slice(0, MOST_SENTENCES).map(toTradeTokens);
  const sides = new Set(sentences.flatMap(sideOf));
  const [side] = sides;
  if (side !== undefined) return sides.size === 1 ? side : "none";
  const directions = new Set(sentences.flatMap(directionOf));
  const [direction = "none"] = directions;
  return directions.size === 1 ? direction : "none";
}
