import { isJsonObject } from "./json-object.ts";

/** Returns the value at a dotted key of parsed JSON; "" is the value itself. Undefined if absent. */
export function atPath(value: unknown, path: string): unknown {
  if (path === "") return value;
  let found = value;
  for (const key of path.split(".")) found = isJsonObject(found) ? found[key] : undefined;
  return found;
}
