import type { Post } from "../../world/social-contract.ts";
import { stampOf } from "./stamp.ts";

/** GDELT looks around every quarter of an hour. */
export const STEP_MS = 900_000;
/** So often a site writes a backslash into its titles. */
const ODD_TITLE = 37;

const LANGUAGES: Readonly<Record<string, string>> = {
  ar: "Arabic",
  de: "German",
  en: "English",
  es: "Spanish",
  fr: "French",
  ja: "Japanese",
  ko: "Korean",
  pt: "Portuguese",
};

/** When GDELT saw it: no article is there before. */
export function seenMs({ created_ms }: Post): number {
  return Math.ceil(created_ms / STEP_MS) * STEP_MS;
}

export function languageOf({ langs: [lang = "en"] }: Post): string {
  return LANGUAGES[lang] ?? "English";
}

export function toArticle(post: Post) {
  return {
    url: `https://${post.handle}/${post.rkey}`,
    url_mobile: "",
    title: titleOf(post),
    seendate: stampOf(seenMs(post)),
    socialimage: "",
    domain: post.handle,
    language: languageOf(post),
    sourcecountry: "United States",
  };
}

/** Punctuation stands apart in GDELT's titles. */
function titleOf({ text, number, handle }: Post): string {
  const title = text
    .replace(/\s*([,:;?!])(?=\s|$)/g, " $1")
    .replace(/\s+/g, " ")
    .trim();
  return number % ODD_TITLE === 0 ? `${title} \\| ${handle}` : title;
}
