/** The shortest that it takes: of a word, and of a phrase in quotes. */
const WORD = /^[\p{L}\p{N}]{3,}$/u;
const LEAST_PHRASE = 5;
const MOST_PHRASE = 200;

/** The question for English articles that hold a term; undefined for a term that GDELT does not take. */
export function toQuery(term: string): string | undefined {
  const text = term.replaceAll('"', " ").replaceAll(/\s+/g, " ").trim();
  if (WORD.test(text)) return `${text} sourcelang:english`;
  return text.length >= LEAST_PHRASE && text.length <= MOST_PHRASE ? `"${text}" sourcelang:english` : undefined;
}
