/** Codes that sources still send though they were replaced. */
const REPLACED: Readonly<Record<string, string>> = { iw: "he", in: "id", ji: "yi" };
/** What tags say when they say nothing: undetermined, no linguistic content. */
const UNKNOWN = new Set(["und", "zxx", "mul", "mis"]);

/** The language of a source's tag (`en-GB`, `EN`, `iw`), ISO 639-1 where it has one; empty where it says none. */
export function languageCode(tag: string): string {
  const code = /^([a-z]{2,3})(?:[-_]|$)/i.exec(tag.slice(0, 40))?.[1]?.toLowerCase() ?? "";
  // X says qme, qht, qst… of posts that hold media, tags or cashtags alone: q** is for private use.
  if (UNKNOWN.has(code) || /^q[a-z]{2}$/.test(code)) return "";
  return REPLACED[code] ?? code;
}
