// JSON printing of floats and texts, identical to the engine's.

/** A float in the fewest digits that identify it; null where not finite. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? String(value).replace("e+", "e") : "null";
}

/** A text as a JSON string: the engine writes hex escapes in upper case, and escapes U+2028 and U+2029. */
export const jsonText = (text: string): string => (PLAIN.test(text) ? `"${text}"` : escaped(text));

/** Only characters that need no escaping. */
export const PLAIN = /^[ !#-[\]-~]*$/;

const escaped = (text: string): string =>
  JSON.stringify(text).replace(/\\(?:u00[01][0-9a-f]|.)|[\u2028\u2029]/g, (found) => {
    if (found.length > 2) return `\\u${found.slice(2).toUpperCase()}`;
    return found.length === 2 ? found : `\\u${found.charCodeAt(0).toString(16)}`;
  });
