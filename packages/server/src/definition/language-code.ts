/** Codes that sources still send although they were replaced. */
const REPLACED: Readonly<Record<string, string>> = { iw: "he", in: "id", ji: "yi" };
/** Tags that carry no language: undetermined, no linguistic content, multiple, uncoded. */
const UNKNOWN = new Set(["und", "zxx", "mul", "mis"]);

/** The language of a source's tag (`en-GB`, `EN`, `iw`), as ISO 639-1 where it has a code; empty if it gives none. */
export function languageCode(tag: string): string {
  const code = /^([a-z]{2,3})(?:[-_]|$)/i.exec(tag.slice(0, 40))?.[1]?.toLowerCase() ?? "";
  // X sends qme, qht, qst… for posts of only media, hashtags or cashtags: q** is for private use.
  if (UNKNOWN.has(code) || /^q[a-z]{2}$/.test(code)) return "";
  return REPLACED[code] ?? code;
}
