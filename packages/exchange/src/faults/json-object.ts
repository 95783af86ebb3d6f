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

/** Returns the value at a dotted key of parsed JSON; "" is the value itself. Undefined if absent. */
export function atPath(value: unknown, path: string): unknown {
  if (path === "") return value;
  let found = value;
  for (const key of path.split(".")) found = isJsonObject(found) ? found[key] : undefined;
  return found;
}
