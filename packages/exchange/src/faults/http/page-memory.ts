import type { Listing } from "./listing.ts";

const MAX_PAGES = 500;
/** Parameters that only select the page. */
const PLACING = ["cursor", "after_cursor", "next_cursor", "next_token", "offset", "page", "_"];

/** The last page sent of each listing, keyed by its query without paging parameters. At most 500 pages. */
export class PageMemory {
  readonly #pages = new Map<string, string>();

  /** Returns the last page sent for this URL's listing. */
  before(url: string): string | undefined {
    return this.#pages.get(questionOf(url));
  }

  keep(url: string, page: string): void {
    const question = questionOf(url);
    this.#pages.delete(question);
    this.#pages.set(question, page);
    if (this.#pages.size <= MAX_PAGES) return;
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined) this.#pages.delete(oldest);
  }
}

/** Whether the URL requests a page after the first. */
export function isFollowing(url: string, { cursor, by_offset, page }: Listing): boolean {
  const { searchParams } = parse(url);
  if (cursor !== undefined)
    return [cursor.parameter, "next_cursor"].some((name) => (searchParams.get(name) ?? "") !== "");
  if (page !== undefined) return Number(searchParams.get(page) ?? 0) > 0;
  return by_offset === true && Number(searchParams.get("offset") ?? 0) > 0;
}

/**
 * Returns the URL of the page after this one; undefined if there is none. `next` is the cursor in this page, `rows` its
 * row count.
 */
export function urlAfter(url: string, listing: Listing, next: unknown, rows: number): string | undefined {
  const parsed = parse(url);
  if (listing.cursor !== undefined) {
    if (typeof next !== "string" || next === "") return undefined;
    parsed.searchParams.set(listing.cursor.parameter, next);
  } else {
    const place = listing.page ?? (listing.by_offset === true ? "offset" : undefined);
    if (place === undefined || rows === 0) return undefined;
    const step = listing.page === undefined ? rows : 1;
    parsed.searchParams.set(place, String(Number(parsed.searchParams.get(place) ?? 0) + step));
  }
  return `${parsed.pathname}${parsed.search}`;
}

function questionOf(url: string): string {
  const { pathname, searchParams } = parse(url);
  for (const name of PLACING) searchParams.delete(name);
  searchParams.sort();
  return `${pathname}?${searchParams.toString()}`;
}

function parse(url: string): URL {
  return new URL(url, "http://faults.invalid");
}
