/** The items of "a", "a,b" or "{a,b}", as the service reads them. */
export function readList(text: string): string[] {
  const inner = /^\{([\s\S]*)\}$/.exec(text.trim())?.[1] ?? text;
  return inner
    .split(",")
    .map((item) => item.trim().replace(/^"([\s\S]*)"$/, "$1"))
    .filter((item) => item !== "");
}

/** Items as one text; each once. */
export function writeList(items: readonly string[]): string {
  return [...new Set(items)].join(",");
}
