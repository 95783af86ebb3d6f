import type { InsertRow } from "../../../definition/table.ts";
import { toPostRow } from "../../social/to-post-row.ts";
import type { Article } from "./articles-wire.ts";

/** Language names in English, as GDELT has them, and their codes. */
const CODES: ReadonlyMap<string, string> = languageCodes();

/** A row of social_posts: the title is all that is listed of an article, and its site stands for its author. */
export function toPost({ url, title, seendate, domain, language }: Article): InsertRow {
  return toPostRow({
    source: "gdelt",
    id: url,
    tsMs: seendate,
    author: domain,
    url,
    // GDELT parts signs from the words before them.
    text: title.replaceAll(/ ([,.:;?!%])(?=\s|$)/g, "$1"),
    lang: CODES.get(language.toLowerCase()) ?? "",
  });
}

function languageCodes(): Map<string, string> {
  const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  // From the last on, so that of two codes of one name the first stays.
  return new Map(codes.toReversed().flatMap((code) => [[names.of(code)?.toLowerCase() ?? "", code]]));
}
