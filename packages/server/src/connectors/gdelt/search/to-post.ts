import type { InsertRow } from "../../../definition/table.ts";
import { toPostRow } from "../../social/to-post-row.ts";
import type { Article } from "./articles-wire.ts";

/** GDELT's English language names and their codes. */
const CODES: ReadonlyMap<string, string> = languageCodes();

/** A row of social_posts: GDELT lists only an article's title, and its site serves as the author. */
export function toPost({ url, title, seendate, domain, language }: Article): InsertRow {
  return toPostRow({
    source: "gdelt",
    id: url,
    tsMs: seendate,
    author: domain,
    url,
    // GDELT separates punctuation from the word before it.
    text: title.replaceAll(/ ([,.:;?!%])(?=\s|$)/g, "$1"),
    lang: CODES.get(language.toLowerCase()) ?? "",
  });
}

function languageCodes(): Map<string, string> {
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  // Reversed, so that of two codes of one name the first wins.
  return new Map(codes.toReversed().flatMap((code) => [[names.of(code)?.toLowerCase() ?? "", code]]));
}
