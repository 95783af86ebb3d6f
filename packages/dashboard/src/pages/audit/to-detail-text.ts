const toText = (value: unknown): string =>
  value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value);

/** The details of an entry: name and value of each part, in one line. */
export function toDetailText(detail: unknown): string {
  if (detail === null || detail === undefined) return "";
  if (typeof detail !== "object" || Array.isArray(detail)) return toText(detail);
  return Object.entries(detail)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${toText(value)}`)
    .join(" · ");
}
