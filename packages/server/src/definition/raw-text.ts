/** A value of a row that was not parsed, where it is text or a whole number; undefined for anything else. */
export function rawText(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "" && value.length <= 200) return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined;
}
