const PLAIN = /^(-?)(\d+)(\.\d+)?$/;
const THIN_MINUS = "−";

/** A decimal string with its thousands grouped, digits unchanged; anything else as it is. */
export function groupDecimal(text: string): string {
  const found = PLAIN.exec(text);
  if (!found) return text;
  const [, sign = "", whole = "", fraction = ""] = found;
  return `${sign === "" ? "" : THIN_MINUS}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction}`;
}
