import type { Batch, PullOptions } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { type Article, articlesWire } from "./articles-wire.ts";

/** The shortest that it takes: of a word, and of a phrase in quotes. */
const WORD = /^[\p{L}\p{N}]{3,}$/u;
const LEAST_PHRASE = 5;
const MOST_PHRASE = 200;

/** The question for English articles that hold a term; undefined for a term that GDELT does not take. */
export function toQuery(term: string): string | undefined {
  const text = term.replaceAll('"', " ").replaceAll(/\s+/g, " ").trim();
  if (WORD.test(text)) return `${text} sourcelang:english`;
  return text.length >= LEAST_PHRASE && text.length <= MOST_PHRASE ? `"${text}" sourcelang:english` : undefined;
}

/** Unix ms. */
export type Window = { readonly from: number; readonly to: number };
export type ArticlesRead = { readonly articles: readonly Article[]; readonly notices: NonNullable<Batch["notices"]> };

/** The most that an answer lists. */
const MOST_RECORDS = 250;
const MOST_PAGES = 4;

/** The articles that answer a question, newest first; from the last one's moment back where an answer was full. */
export async function readArticles(
  { feed }: Pick<PullOptions, "feed">,
  query: string,
  { from, to }: Window,
): Promise<ArticlesRead> {
  const found = new Map<string, Article>();
  let end = to;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const ifChanged = { from, to: end };
    const asked = paramsOf(query, { from, to: end });
    const reply = await feed.get({ path: "", query: asked, route: "all", ifChanged }, articlesWire);
    const articles = reply?.articles ?? [];
    for (const article of articles) found.set(article.url, article);
    if (reply?.refused !== undefined) return { articles: [], notices: [note(`refused ${query}: ${reply.refused}`)] };
    const oldest = Math.min(...articles.map(({ seendate }) => seendate));
    const listed = articles.length + refusedOf(reply).length;
    if (listed < MOST_RECORDS) return { articles: [...found.values()], notices: [] };
    // Hundreds of the same moment: what is before them can still be had.
    end = oldest < end ? oldest : end - 1000;
    if (end < from) return { articles: [...found.values()], notices: [] };
  }
  return { articles: [...found.values()], notices: [note(`lists more than was read for ${query}`)] };
}

const note = (text: string) => ({ kind: "upstream_note" as const, text: `GDELT ${text}`.slice(0, 500), count: 1 });

function paramsOf(query: string, { from, to }: Window): readonly (readonly [string, string])[] {
  return [
    ["query", query],
    ["mode", "artlist"],
    ["format", "json"],
    ["maxrecords", String(MOST_RECORDS)],
    ["sort", "datedesc"],
    ["startdatetime", stampOf(from)],
    ["enddatetime", stampOf(to)],
  ];
}

/** A moment as it is asked for: 20260910121500. */
export function stampOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "");
}
