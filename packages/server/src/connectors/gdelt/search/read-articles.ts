import type { Batch, PullOptions } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { type Article, articlesWire } from "./article-posts.ts";

/** The shortest word and the shortest quoted phrase that GDELT accepts. */
const WORD = /^[\p{L}\p{N}]{3,}$/u;
const MIN_PHRASE = 5;
const MAX_PHRASE = 200;

/** The query for English articles that contain a term; undefined for a term that GDELT does not accept. */
export function toQuery(term: string): string | undefined {
  const text = term.replaceAll('"', " ").replaceAll(/\s+/g, " ").trim();
  if (WORD.test(text)) return `${text} sourcelang:english`;
  return text.length >= MIN_PHRASE && text.length <= MAX_PHRASE ? `"${text}" sourcelang:english` : undefined;
}

/** Unix ms. */
export type Window = { readonly from: number; readonly to: number };
export type ArticlesRead = { readonly articles: readonly Article[]; readonly notices: NonNullable<Batch["notices"]> };

/** The most articles in one reply. */
const MAX_RECORDS = 250;
const MAX_PAGES = 4;

/** The articles that match a query, newest first; a full reply is continued backwards from its oldest timestamp. */
export async function readArticles(
  { feed }: Pick<PullOptions, "feed">,
  query: string,
  { from, to }: Window,
): Promise<ArticlesRead> {
  const found = new Map<string, Article>();
  let end = to;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const ifChanged = { from, to: end };
    const requested = paramsOf(query, { from, to: end });
    const reply = await feed.get({ path: "", query: requested, route: "all", ifChanged }, articlesWire);
    const articles = reply?.articles ?? [];
    for (const article of articles) found.set(article.url, article);
    if (reply?.refused !== undefined) {
      return { articles: [...found.values()], notices: [note(`refused ${query}: ${reply.refused}`)] };
    }
    const oldest = Math.min(...articles.map(({ seendate }) => seendate));
    const listed = articles.length + refusedOf(reply).length;
    if (listed < MAX_RECORDS) return { articles: [...found.values()], notices: [] };
    // A full page of one timestamp: skip that second, older articles can still be read.
    end = oldest < end ? oldest : end - 1000;
    if (end < from) return { articles: [...found.values()], notices: [] };
  }
  return { articles: [...found.values()], notices: [note(`lists more articles than were read for ${query}`)] };
}

const note = (text: string) => ({ kind: "upstream_note" as const, text: `GDELT ${text}`.slice(0, 500), count: 1 });

function paramsOf(query: string, { from, to }: Window): readonly (readonly [string, string])[] {
  return [
    ["query", query],
    ["mode", "artlist"],
    ["format", "json"],
    ["maxrecords", String(MAX_RECORDS)],
    ["sort", "datedesc"],
    ["startdatetime", stampOf(from)],
    ["enddatetime", stampOf(to)],
  ];
}

/** A timestamp in the query format: 20260910121500. */
export function stampOf(timestamp: number): string {
  return new Date(timestamp).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "");
}
