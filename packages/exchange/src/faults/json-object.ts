/** An object of JSON. */
export type JsonObject = Record<string, unknown>;

/** Neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
