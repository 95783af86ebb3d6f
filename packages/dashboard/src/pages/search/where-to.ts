const WALLET = /^0x[0-9a-f]{40}$/i;
const CONDITION = /^0x[0-9a-f]{64}$/i;
const TOKEN = /^\d{60,78}$/;

/** The page that an identifier names directly; undefined for words. */
export function whereTo(requested: string): string | undefined {
  const text = requested.trim();
  if (WALLET.test(text)) return `/wallets/${text.toLowerCase()}`;
  if (CONDITION.test(text)) return `/markets/polymarket/${text.toLowerCase()}`;
  if (TOKEN.test(text)) return `/books/polymarket/${text}`;
  return undefined;
}

/**
 * The text to search for, empty if it has no words. The catalogues read words with commas between them as a list of
 * slugs, and "ALL" alone as no filter.
 */
export function searchedWords(requested: string): string {
  const text = requested.replaceAll(/[,{}]+/g, " ").trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return "";
  return text.toLowerCase() === "all" ? `${text}.` : text;
}
