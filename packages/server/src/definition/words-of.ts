/** The words of a text as `stored.words` keeps them: runs of letters and digits, lower-cased. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
    .trim()
    .split(" ")
    .filter((word) => word !== "");

/** Maximum number of words in a search: longer texts are refused. */
export const MAX_WORDS = 50;

/** The distinct words of a search; none for a text with more than the maximum, which is a long list of slugs. */
export function searchedWords(text: string): string[] {
  const words = [...new Set(wordsOf(text))];
  return words.length > MAX_WORDS ? [] : words;
}
