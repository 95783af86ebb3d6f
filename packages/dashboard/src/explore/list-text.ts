/** Parses the items of "a", "a,b" or "{a,b}", as the service does. */
export function readList(text: string): string[] {
  const inner = /^\{([\s\S]*)\}$/.exec(text.trim())?.[1] ?? text;
  return inner
    .split(",")
    .map((item) => item.trim().replace(/^"([\s\S]*)"$/, "$1"))
    .filter((item) => item !== "");
}

/** Joins items as one text without duplicates. */
export function writeList(items: readonly string[]): string {
  return [...new Set(items)].join(",");
}
