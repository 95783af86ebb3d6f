import { languageCode } from "../../definition/language-code.ts";
import type { Detect } from "../social/open-detector.ts";

/**
 * English where a post says so among others, else the first language it says, else that of its text; empty where
 * nothing tells. What programs say is often their setting and not the text's language.
 */
export function languageOf(langs: readonly string[], text: string, detect: Detect): string {
  const codes = langs.map(languageCode).filter((code) => code !== "");
  if (codes.includes("en")) return "en";
  return codes[0] ?? detect(text);
}
