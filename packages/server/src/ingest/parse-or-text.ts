import { parseBounded } from "../definition/parse-bounded.ts";

/** What JSON says; the text itself where it is none. */
export function parseOrText(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return text;
  }
}
