import type { Stance } from "../../definition/vocabulary.ts";
import { directionOf, toTradeTokens, type TradeToken } from "./price-direction.ts";

type Side = "buy_yes" | "buy_no";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const BUYS = words(
  "buy buying bought grab grabbed grabbing load loading loaded hold holding long backing scooped adding added took taking",
);
const SELLS = words("sell selling sold short shorting shorted fade fading faded dump dumping dumped");
const FILLERS = words("on up some more the a bit lot of into my all out again shares contracts heavily big i'm im");
const DENIALS = words(
  "not never no don't dont didn't didnt won't wont wouldn't wouldnt can't cant cannot isn't isnt ain't aint nobody stop avoid",
);
const QUESTIONS = words("should anyone anybody who would is are do does did why");
/** Words that may follow a side; before any other word "no" is just a word ("buy no more"). */
const AFTER = words("here now again shares contracts on for at @ under below around since in today and with");
const MAX_FILLERS = 4;
const MAX_BEFORE = 4;

/** The sides that a sentence says its author buys, or advises to buy. */
function sideOf(sentence: readonly TradeToken[]): Side[] {
  if (sentence.at(-1)?.text === "?" && QUESTIONS.has(sentence[0]?.lower ?? "")) return [];
  return sentence.flatMap((token, at) => {
    const isBuy = BUYS.has(token.lower);
    if (!isBuy && !SELLS.has(token.lower)) return [];
    if (isDenied(sentence, at)) return [];
    const side = sideAfter(sentence, at + 1);
    if (side === undefined) return [];
    return [(side === "yes") === isBuy ? ("buy_yes" as const) : ("buy_no" as const)];
  });
}

const isDenied = (sentence: readonly TradeToken[], at: number): boolean =>
  sentence.slice(Math.max(0, at - MAX_BEFORE), at).some(({ lower }) => DENIALS.has(lower));

function sideAfter(sentence: readonly TradeToken[], start: number): "yes" | "no" | undefined {
  for (const at of Array.from({ length: MAX_FILLERS + 1 }, (_, index) => start + index)) {
    const token = sentence[at];
    if (token === undefined) return undefined;
    if (token.lower === "yes" || token.lower === "no") return isSide(sentence, at) ? token.lower : undefined;
    const isAmount = /^\$?\d/u.test(token.text);
    if (!FILLERS.has(token.lower) && !isAmount && !/^["'“”‘’]$/u.test(token.text)) return undefined;
  }
  return undefined;
}

function isSide(sentence: readonly TradeToken[], at: number): boolean {
  const next = sentence[at + 1];
  const isFollowed =
    next === undefined || next.cents !== undefined || AFTER.has(next.lower) || !/[\p{L}\p{N}]/u.test(next.text);
  if (!isFollowed) return false;
  if (sentence[at]?.lower === "yes") return true;
  // Lower-case "no" is a side only with a price: "bought no shares" may mean none at all.
  const isAtPrice = sentence.slice(at + 1, at + 4).some(({ cents }) => cents !== undefined);
  return isAtPrice || sentence[at]?.text !== "no";
}

const MAX_TEXT = 2000;
const MAX_SENTENCES = 40;
const SENTENCE_END = /(?<=[.!?…])\s+|\n+/u;

/**
 * The stance a text expresses on a market: buying or having bought a side ("selling No" is buying Yes), else that its
 * price went up or down. "none" if it expresses none, asks, denies, or says both. Rules for English.
 */
export function stanceOf(text: string): Stance {
  const sentences = text.slice(0, MAX_TEXT).split(SENTENCE_END).slice(0, MAX_SENTENCES).map(toTradeTokens);
  const sides = new Set(sentences.flatMap(sideOf));
  const [side] = sides;
  if (side !== undefined) return sides.size === 1 ? side : "none";
  const directions = new Set(sentences.flatMap(directionOf));
  const [direction = "none"] = directions;
  return directions.size === 1 ? direction : "none";
}
