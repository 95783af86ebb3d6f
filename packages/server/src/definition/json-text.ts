// How the engine prints a float and a text as JSON.

/** A float in the fewest digits that tell it from any other; null for what is no number. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? String(value).replace("e+", "e") : "null";
}

/** A text as a string of JSON: the engine writes the digits of escapes in capitals, and escapes U+2028 and U+2029. */
export const jsonText = (text: string): string => (PLAIN.test(text) ? `"${text}"` : escaped(text));

/** Nothing but what stands for itself. */
export const PLAIN = /^[ !#-[\]-~]*$/;

const escaped = (text: string): string =>
  JSON.stringify(text).replace(/\\(?:u00[01][0-9a-f]|.)|[\u2028\u2029]/g, (found) => {
    if (found.length > 2) return `\\u${found.slice(2).toUpperCase()}`;
    return found.length === 2 ? found : `\\u${found.charCodeAt(0).toString(16)}`;
  });
