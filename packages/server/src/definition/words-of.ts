/** The words of a text as `stored.words` keeps them: runs of letters and digits, lower-cased. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
    .trim()
    .split(" ")
    .filter((word) => word !== "");

/** A search looks for so many words at the most: texts with more are refused. */
export const MOST_WORDS = 50;

/** The words that a search looks for, each once; none of a text of more than parameters let pass, a long list of slugs. */
export function searchedWords(text: string): string[] {
  const words = [...new Set(wordsOf(text))];
  return words.length > MOST_WORDS ? [] : words;
}
