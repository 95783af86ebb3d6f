import polarityOf from "wink-sentiment";

/** Whether a source's or a text's language tag (`en`, `en-GB`) is English. */
const isEnglish = (lang: string): boolean => /^en(?:[-_]|$)/i.test(lang);

/** Longer texts are judged by their beginning. */
const MAX_TEXT = 2000;
const MAX_MICRO = 1_000_000;
/** Addresses and long unbroken runs carry no sentiment, and the tokenizer's time is quadratic in their length. */
const NO_WORDS = /\S{61,}|https?:\/\/\S*|www\.\S*/giu;
/**
 * Names of built-in object properties: the library's word lists would take them for entries. Also within longer words,
 * because the tokenizer ends words at letters it does not know (ſ, the Kelvin sign).
 */
const NATURAL_NAMES = /constructor|__proto__/gi;

/** "No" as a side of a market or an answer; elsewhere it negates what follows. */
const SIDE_NO =
  /\bno\b(?=\s*(?:[^\s\p{L}\p{N}]|\d|$|at\b|shares?\b|sides?\b|tokens?\b|contracts?\b|is\b|price\b|holders?\b))/giu;
const SIDE_VERB_NO =
  /\b(?:buy|buying|bought|sell|selling|sold|hold|holding|held|long|short|shorting|fade|fading|bet|betting|yes|on|or|and)\s+no\b(?!\s+(?:good|way|idea|hope|chance|doubt|one|more|longer))/giu;
/** Words about prices and bets, which express no feeling. */
const SIDE_PHRASES =
  /\b(?:killing it|making a killing|free money|dead heat|top \d+|no[- ]brainer|long shot|hard fork|stop loss|death cross|bull run|bear market)\b/giu;
/** Market subjects: naming them expresses no feeling. */
const MARKET_WORDS = new RegExp(
  `\\b(?:${[
    "yes|bets?|betting|bettors?|odds|chances?|shares?|prices?|markets?|outcomes?|positions?|long|short|bulls?|bears?",
    "bullish|bearish|pump(?:s|ed|ing)?|dump(?:s|ed|ing)?|jump(?:s|ed|ing)?|surg(?:e|es|ed|ing)|crash(?:es|ed|ing)?",
    "ris(?:e|es|ing)|rose|rall(?:y|ies|ied|ying)|drop(?:s|ped|ping)?|fall(?:s|ing)?|fell|gain(?:s|ed|ing)?|hits?|top",
    "win(?:s|ner|ners|ning)?|won|los(?:e|es|er|ers|ing|s|ses)|lost|defeat(?:s|ed)?|beat(?:s|en|ing)?|champions?",
    "wars?|recessions?|cuts?|hikes?|bans?|banned|strikes?|attacks?|invade[sd]?|invasion|ceasefire|shutdown|default",
    "resign(?:s|ed)?|impeach(?:ed|ment)?|indict(?:ed|ment)?|arrest(?:ed|s)?|convicted|guilty|pardon(?:s|ed)?|fired?",
    "nominated?|elected|approved?|conflict|nuclear|death|dies?|kill(?:s|ed)?|shot|fight(?:s|ing)?|risks?|growth",
  ].join("|")})\\b`,
  "giu",
);

/**
 * Polarity of an English text, -1 to 1 as a decimal of at most six places, ignoring words that markets are about: how
 * its author feels, not which way a price goes. "0" if neutral; null for other languages.
 */
export function sentimentOf(text: string, lang: string): string | null {
  if (!isEnglish(lang)) return null;
  const { normalizedScore } = polarityOf(stripped(text.slice(0, MAX_TEXT)));
  // The library returns four decimals in -5 to 5. Any other value must not stop the stream.
  const micro = Math.min(MAX_MICRO, Math.max(-MAX_MICRO, Math.round(normalizedScore * 10_000) * 20 || 0));
  return micro === 0 ? "0" : (micro / 1_000_000).toFixed(6).replace(/\.?0+$/u, "");
}

function stripped(text: string): string {
  return text
    .replace(NO_WORDS, " ")
    .replace(NATURAL_NAMES, " ")
    .replaceAll("’", "'")
    .replace(SIDE_PHRASES, " ")
    .replace(SIDE_VERB_NO, " ")
    .replace(SIDE_NO, " ")
    .replace(/\bno\b/giu, "not")
    .replace(MARKET_WORDS, " ");
}
