/** The longest query accepted, and the number of queries in rotation. */
const MAX_LENGTH = 512;
const MAX_QUERIES = 4;
/** Reposts would be billed like posts. */
const REST = "lang:en -is:retweet";

/** As few queries as contain the terms, most traded first, each an OR of phrases. */
export function toQueries(terms: readonly string[]): readonly string[] {
  const queries: string[] = [];
  let phrases: string[] = [];
  for (const phrase of terms.flatMap(toPhrase)) {
    if (phrases.length > 0 && written([...phrases, phrase]).length > MAX_LENGTH) {
      queries.push(written(phrases));
      phrases = [];
    }
    if (written([phrase]).length <= MAX_LENGTH) phrases.push(phrase);
    if (queries.length === MAX_QUERIES) return queries;
  }
  return phrases.length > 0 ? [...queries, written(phrases)] : queries;
}

const written = (phrases: readonly string[]): string => `(${phrases.join(" OR ")}) ${REST}`;

function toPhrase(term: string): string[] {
  const text = term.replaceAll(/["\\]/g, " ").replaceAll(/\s+/g, " ").trim();
  return /[\p{L}\p{N}]/u.test(text) ? [`"${text}"`] : [];
}
