/** The language of a text, ISO 639-1; empty if the text is too short or ambiguous. */
export type Detect = (text: string) => string;

/** A word for the detector; addresses, names and tags have no language. */
const NO_WORDS = /https?:\/\/\S*|www\.\S*|[@#$][\p{L}\p{N}_.-]*/gu;
/** Texts with fewer letters are often misdetected. */
const FEWEST_LETTERS = 12;
const MAX_TEXT = 500;

/**
 * Loads the detector's tables (a megabyte, a few hundred milliseconds): once, and only for streams with texts without a
 * language.
 */
export async function openDetector(): Promise<Detect> {
  const { eld } = await import("eld/extrasmall");
  return (text) => {
    const words = text.slice(0, MAX_TEXT).replace(NO_WORDS, " ");
    if (words.replaceAll(/[^\p{L}]/gu, "").length < FEWEST_LETTERS) return "";
    const found = eld.detect(words);
    return found.isReliable() ? found.language : "";
  };
}
