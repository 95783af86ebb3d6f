/** The language of a text, ISO 639-1; empty where the text is too short to tell or might be of several. */
export type Detect = (text: string) => string;

/** What a word is to a detector; addresses, names and tags are in no language. */
const NO_WORDS = /https?:\/\/\S*|www\.\S*|[@#$][\p{L}\p{N}_.-]*/gu;
/** Fewer letters are often taken for a language they are not. */
const FEWEST_LETTERS = 12;
const MOST_TEXT = 500;

/**
 * Loads the detector's tables (a megabyte, a few hundred milliseconds): only walks that meet texts without a language
 * do it, once.
 */
export async function openDetector(): Promise<Detect> {
  const { eld } = await import("eld/extrasmall");
  return (text) => {
    const words = text.slice(0, MOST_TEXT).replace(NO_WORDS, " ");
    if (words.replaceAll(/[^\p{L}]/gu, "").length < FEWEST_LETTERS) return "";
    const found = eld.detect(words);
    return found.isReliable() ? found.language : "";
  };
}
