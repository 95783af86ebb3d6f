/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** Parses JSON; undefined if the text is invalid. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Excludes null and arrays. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
