import type { Batch, PullOptions } from "../../../definition/connector.ts";
import { refusedOf } from "../../../definition/read-page.ts";
import { type Hit, hitsWire } from "./hit-posts.ts";

export type SliceStep = SliceRead & {
  readonly slice: Slice;
  /** The width (seconds) of the next slice. */
  readonly width: number;
  /** Notices for the operator, and a gap if a single second contains more than a query returns. */
  readonly reported: Pick<Batch, "notices" | "gap">;
};

const WIDEST = 21_600;
/** After a slice with fewer hits the width is doubled. */
const FEW_HITS = 400;

/** Walks a time range in slices, oldest first, each small enough for one query: halved while it contains too much. */
export async function* walkSlices(
  options: Pick<PullOptions, "feed" | "signal">,
  span: Slice,
  firstWidth: number,
): AsyncGenerator<SliceStep> {
  let width = Math.max(1, Math.floor(firstWidth));
  for (let { from } = span; from < span.to;) {
    const slice = { from, to: Math.min(span.to, from + width) };
    const seconds = slice.to - slice.from;
    const read = await readSlice(options, slice);
    if (read.isCut && seconds > 1) {
      width = Math.floor(seconds / 2);
      continue;
    }
    if (read.hits.length < FEW_HITS && seconds === width) width = Math.min(WIDEST, width * 2);
    yield { ...read, slice, width, reported: report(read, slice) };
    from = slice.to;
  }
}

function report({ isCut, twice }: SliceRead, { from, to }: Slice): SliceStep["reported"] {
  const reason = "Algolia returns at most 1000 hits, and this second has more";
  return {
    ...(isCut && { gap: { from: isoOf(from), to: isoOf(to), reason } }),
    ...(twice > 0 && {
      notices: [
        { kind: "duplicate_rows" as const, text: "/search_by_date returned the same hits on two pages", count: twice },
      ],
    }),
  };
}

/** The gap that a reply with fewer hits than it counts leaves in a stream of posts. */
export function gapOfShort({ isShort, slice }: SliceStep): Pick<Batch, "gap"> {
  const reason = "Algolia returned fewer hits than it counted";
  return isShort ? { gap: { from: isoOf(slice.from), to: isoOf(slice.to), reason } } : {};
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Unix seconds, `to` excluded. */
export type Slice = { readonly from: number; readonly to: number };

export type SliceRead = {
  readonly hits: readonly Hit[];
  /** True if the slice contains more hits than a query returns: the rest needs shorter slices. */
  readonly isCut: boolean;
  /** True if the reply counts more hits than it has. */
  readonly isShort: boolean;
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
  let [isCut, isSure, twice, refused] = [false, true, 0, 0];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    signal.throwIfAborted();
    const reply = await feed.get({ path: "/search_by_date", query: queryOf(slice, page), route: "all" }, hitsWire);
    if (reply === undefined) throw new Error("/search_by_date returned nothing");
    for (const hit of reply.hits) {
      if (hits.has(hit.objectID)) twice += 1;
      hits.set(hit.objectID, hit);
    }
    isCut ||= reply.nbHits > MAX_HITS;
    refused += refusedOf(reply).length;
    const isEnd = page + 1 >= reply.nbPages;
    const isShort = isEnd && !isCut && hits.size + refused < reply.nbHits;
    isSure &&= !isCut && !isShort && refused === 0;
    if (isEnd || (isCut && slice.to - slice.from > 1))
      return { hits: [...hits.values()], isCut, isShort, isSure, twice };
  }
  return { hits: [...hits.values()], isCut: true, isShort: false, isSure: false, twice };
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
