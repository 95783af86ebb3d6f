import { parseBounded } from "../definition/parse-bounded.ts";

/** Parses JSON; returns the text itself if it is not JSON. */
export function parseOrText(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return text;
  }
}
