import type { PullOptions } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { type Hit, hitsWire } from "./hits-wire.ts";

/** Unix seconds, `to` excluded. */
export type Slice = { readonly from: number; readonly to: number };

export type SliceRead = {
  readonly hits: readonly Hit[];
  /** True if the slice contains more hits than a query returns: the rest needs shorter slices. */
  readonly isCut: boolean;
  /** False if a post absent from `hits` may still exist. */
  readonly isSure: boolean;
  /** Number of hits that appeared on two pages, because a new item shifted the pages. */
  readonly twice: number;
};

/** The most hits a query returns, over all its pages. */
const MAX_HITS = 1000;
/** Enough for pages of only a tenth of the requested size, should Algolia ever return such. */
const MAX_PAGES = 10;

/** Every story and comment of a time slice, if one query returns all of them. */
export async function readSlice(
  { feed, signal }: Pick<PullOptions, "feed" | "signal">,
  slice: Slice,
): Promise<SliceRead> {
  const hits = new Map<string, Hit>();
  let [isCut, isSure, twice] = [false, true, 0];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    signal.throwIfAborted();
    const reply = await feed.get({ path: "/search_by_date", query: queryOf(slice, page), route: "all" }, hitsWire);
    if (reply === undefined) throw new Error("/search_by_date returned nothing");
    for (const hit of reply.hits) {
      if (hits.has(hit.objectID)) twice += 1;
      hits.set(hit.objectID, hit);
    }
    isCut ||= reply.nbHits > MAX_HITS;
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
    ["hitsPerPage", String(MAX_HITS)],
    ["page", String(page)],
  ];
}
