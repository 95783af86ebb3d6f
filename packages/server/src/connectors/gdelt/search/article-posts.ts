import { z } from "zod";
import { parseBounded } from "../../../definition/upstream-bounds.ts";
import { rowsOf, textIn } from "../../../definition/rows-of.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { toPostRow } from "../../social/to-post-row.ts";

/** The text sent in place of a reply when requests are too frequent, sometimes with status 200. */
const BUSY = /limit requests|too many requests/i;
/** How its refusals of a query begin. */
const REFUSAL = /^(?:Your |The specified |One or more |Queries |Parentheses |Invalid |Timespan |Unsupported )/;
const MAX_REFUSAL = 500;
/** A backslash with the character it escapes in JSON, or alone if it escapes nothing. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g;
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f]+/g;

/**
 * Parses a GDELT reply: JSON, repaired where titles broke it; `{ refused }` for a rejected query; the raw text if it
 * looks like JSON but cannot be parsed, which counts as a malformed page. Throws a SyntaxError for anything else.
 */
export function parseBody(text: string): unknown {
  const body = text.replace(/^\ufeff/, "").trim();
  if (!body.startsWith("{")) {
    if (!BUSY.test(body) && body.length <= MAX_REFUSAL && REFUSAL.test(body)) return { refused: body };
    throw new SyntaxError("neither JSON nor a refusal of the query");
  }
  return tryJson(body) ?? tryJson(mended(body)) ?? body;
}

/** Repairs unescaped backslashes and raw control characters in titles. */
function mended(body: string): string {
  return body.replace(ESCAPE, (found) => (found === "\\" ? "\\\\" : found)).replace(CONTROLS, " ");
}

function tryJson(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}

/** Unix ms of a GDELT timestamp, 20260910T121500Z; undefined for anything else. */
function timestampOf(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const timestamp = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(timestamp) ? undefined : timestamp;
}

const seen = z.string().transform((text, context) => {
  const timestamp = timestampOf(text);
  if (timestamp !== undefined) return timestamp;
  context.addIssue({ code: "custom", message: "not a timestamp such as 20260910T121500Z" });
  return z.NEVER;
});

const articleWire = z.object({
  url: z.url().max(2000),
  title: z.string(),
  seendate: seen,
  domain: z.string().min(1),
  language: z.string(),
});

/** An article as the search lists it; `seendate` in Unix ms. */
export type Article = z.output<typeof articleWire>;

const rows = rowsOf(articleWire, {
  at: (raw) => (typeof raw["seendate"] === "string" ? timestampOf(raw["seendate"]) : undefined),
  key: { id: textIn("url") },
});

/** A text is a reply that was parked unparsed. */
const reread = (value: unknown): unknown => {
  try {
    return typeof value === "string" ? parseBody(value) : value;
  } catch {
    return value;
  }
};

/** `mode=artlist`: a result without articles is an empty object. */
export const articlesWire = z.preprocess(
  reread,
  z
    .looseObject({ articles: rows.optional(), refused: z.string().optional() })
    .refine((page) => page.articles ?? page.refused ?? Object.keys(page).length === 0, {
      path: ["articles"],
      message: "neither articles nor an empty object",
    }),
);

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
