import type { PullOptions } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { type Hit, hitsWire } from "./hits-wire.ts";

/** Unix seconds, `to` excluded. */
export type Slice = { readonly from: number; readonly to: number };

export type SliceRead = {
  readonly hits: readonly Hit[];
  /** True where more are there than a query gives: all of them only come in shorter slices. */
  readonly isCut: boolean;
  /** False where it cannot be said that what is not among the hits is not there. */
  readonly isSure: boolean;
  /** How many hits were given on two pages: something new moved them on. */
  readonly twice: number;
};

/** The most that a query gives, over all its pages. */
const MOST_HITS = 1000;
/** Should Algolia ever give a tenth of what was asked for on a page. */
const MOST_PAGES = 10;

/** Every story and comment of a stretch of time, where a query gives all of them. */
export async function readSlice(
  { feed, signal }: Pick<PullOptions, "feed" | "signal">,
  slice: Slice,
): Promise<SliceRead> {
  const hits = new Map<string, Hit>();
  let [isCut, isSure, twice] = [false, true, 0];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    signal.throwIfAborted();
    const reply = await feed.get({ path: "/search_by_date", query: queryOf(slice, page), route: "all" }, hitsWire);
    if (reply === undefined) throw new Error("/search_by_date gave nothing");
    for (const hit of reply.hits) {
      if (hits.has(hit.objectID)) twice += 1;
      hits.set(hit.objectID, hit);
    }
    isCut ||= reply.nbHits > MOST_HITS;
    isSure &&= !isCut && refusedOf(reply).length === 0;
    const isEnd = page + 1 >= reply.nbPages;
    if (isEnd) isSure &&= hits.size >= reply.nbHits;
    if (isEnd || (isCut && slice.to - slice.from > 1)) return { hits: [...hits.values()], isCut, isSure, twice };
  }
  return { hits: [...hits.values()], isCut: true, isSure: false, twice };
}

function queryOf({ from, to }: Slice, page: number): readonly (readonly [string, string])[] {
  return [
    ["query", ""],
    ["tags", "(story,comment)"],
    ["numericFilters", `created_at_i>=${from},created_at_i<${to}`],
    ["hitsPerPage", String(MOST_HITS)],
    ["page", String(page)],
  ];
}
