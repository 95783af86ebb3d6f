import { languageCode, type SocialSource } from "../../definition/vocabulary.ts";
import type { InsertRow } from "../../definition/table.ts";
import type { Detect } from "./open-detector.ts";
import { sentimentOf } from "./sentiment.ts";
import { stanceOf } from "./stance.ts";

/** Control characters except tab and line feed, and those that change text direction. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** A source's text without control characters and lone surrogates, cut to at most `most` UTF-16 units. */
export function cleanText(text: string, most: number): string {
  // Rarely more than a few characters are removed, so the text is bounded before the search.
  const plain = text
    .slice(0, most * 2)
    .replaceAll("\r\n", "\n")
    .replace(CONTROLS, "");
  const cut = plain.slice(0, most);
  const isHalved = plain.length > most && /[\ud800-\udbff]$/.test(cut);
  return (isHalved ? cut.slice(0, -1) : cut).toWellFormed();
}

/** A post, comment or article from a source, without markup. */
export type SourcePost = {
  readonly source: SocialSource;
  readonly id: string;
  /** When the source received it, by the source's clock (Unix ms). */
  readonly tsMs: number;
  /** When its author claims it was written (Unix ms); `tsMs` if absent or not a number. */
  readonly declaredMs?: number | undefined;
  readonly author: string;
  /** The author's id if absent or empty. */
  readonly username?: string | undefined;
  readonly url: string;
  readonly text: string;
  /** The language declared by the source; empty if unknown. */
  readonly lang: string;
  /** Id of the post it replies to or quotes. */
  readonly parent?: string | undefined;
  /** Counts as fetched; absent if the source reports reactions one by one. */
  readonly counts?: {
    readonly likes?: number | undefined;
    readonly reposts?: number | undefined;
    readonly replies?: number | undefined;
    readonly quotes?: number | undefined;
  };
};

const MAX_BODY = 10_000;
const MAX_NAME = 2000;
const MAX_COUNT = 4_294_967_295;

/** A row of `social_posts`. An undeclared language comes from `detect`; without it the language stays empty. */
export function toPostRow(post: SourcePost, detect: Detect = () => ""): InsertRow {
  const { source, tsMs, declaredMs = tsMs, counts = {} } = post;
  const body = cleanText(post.text, MAX_BODY);
  const lang = languageCode(post.lang) || detect(body);
  const author = cleanText(post.author, MAX_NAME);
  return {
    source,
    id: post.id,
    ts: new Date(tsMs).toISOString(),
    created_on: new Date(Number.isFinite(declaredMs) ? Math.max(0, Math.min(declaredMs, tsMs)) : tsMs).toISOString(),
    author,
    username: cleanText(post.username ?? "", MAX_NAME) || author,
    url: cleanText(post.url, MAX_NAME),
    body,
    lang,
    parent: post.parent ?? "",
    like_count: toCount(counts.likes),
    retweet_count: toCount(counts.reposts),
    reply_count: toCount(counts.replies),
    quote_count: toCount(counts.quotes),
    sentiment: sentimentOf(body, lang),
    stance: stanceOf(body),
  };
}

/** Points can be negative on Hacker News; a count cannot. */
function toCount(count = 0): number {
  return Math.min(MAX_COUNT, Math.max(0, Math.trunc(count) || 0));
}
