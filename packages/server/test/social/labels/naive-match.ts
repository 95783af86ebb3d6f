import type { LabelledMarket } from "./load-markets.ts";
import type { Match } from "./measure-matcher.ts";

const LEAST_LETTERS = 4;

/** What somebody would try first: a post is about a market when it has any name (capitalised word) of its question. */
export function naiveMatch(markets: readonly LabelledMarket[]): Match {
  const named = markets.map((market) => ({ market, names: namesOf(market.question) }));
  return ({ text, tsMs }) => {
    const words = new Set(wordsOf(text).map((word) => word.toLowerCase()));
    return named.flatMap(({ market, names }) => {
      if (tsMs < market.openedMs || tsMs >= market.closedMs) return [];
      const term = names.find((name) => words.has(name));
      return term === undefined ? [] : [{ conditionId: market.conditionId, term }];
    });
  };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Capitalised words after the first. */
const namesOf = (question: string): string[] =>
  wordsOf(question)
    .slice(1)
    .filter((word) => word.length >= LEAST_LETTERS && /^\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase());
