const INVISIBLE = /[\u00a0\u200b-\u200f\u2028\u2029\u2060\ufeff]/g;
const FORMS: Readonly<Record<string, RegExp>> = {
  "wallet address": /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-f])/gi,
  "condition id": /(?<![0-9a-z])0x[0-9a-f]{64}(?![0-9a-f])/gi,
  "token id": /(?<![0-9a-z])[0-9]{20,78}(?![0-9a-z])/gi,
};

/**
 * Extracts the intended value of a pasted text: the ids in it (also from a link or a quoted list) if the type has a
 * recognisable form, else the text without its surroundings.
 */
export function trimPasted(text: string, type: string): string {
  const clean = text.replace(INVISIBLE, " ").trim();
  const form = FORMS[type];
  const ids = form === undefined ? [] : (clean.match(form) ?? []);
  if (ids.length > 0) return [...new Set(ids)].join(",");
  return clean.replace(/^["'`]+|["'`,;]+$/g, "").trim();
}
