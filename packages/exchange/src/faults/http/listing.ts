import type { FaultDoor } from "../fault-door.ts";

/** Where the rows of an answer are, and how its pages follow each other. */
export interface Listing {
  /** Dotted key of the list; "" = the body is the list. */
  rows: string;
  /** By cursor: the parameter that carries it and the dotted key of the next one. */
  cursor?: { parameter: string; next: string };
  /** By `offset` and `limit`. */
  by_offset?: boolean;
  /** By a number from 0 on: the parameter that carries it. */
  page?: string;
  /** The parameter that says how many rows a page has, and the least that it takes; default `limit` and 1. */
  limit?: { parameter: string; least: number };
}

const keyset = { parameter: "after_cursor", next: "next_cursor" };
const v2 = { parameter: "cursor", next: "pagination.next_cursor" };
const x = { parameter: "next_token", next: "meta.next_token" };
const kalshi = { parameter: "cursor", next: "cursor" };

const listings: readonly (Listing & { door: FaultDoor; path: RegExp })[] = [
  { door: "gamma", path: /^\/markets\/keyset$/, rows: "markets", cursor: keyset },
  { door: "gamma", path: /^\/events\/keyset$/, rows: "events", cursor: keyset },
  { door: "gamma", path: /^\/tags$/, rows: "", by_offset: true },
  { door: "data", path: /^\/v2\//, rows: "data", cursor: v2 },
  { door: "clob", path: /^\/books$/, rows: "" },
  { door: "kalshi", path: /\/(markets|historical)\/trades$/, rows: "trades", cursor: kalshi },
  { door: "kalshi", path: /\/v2\/(historical\/)?markets$/, rows: "markets", cursor: kalshi },
  { door: "kalshi", path: /\/events$/, rows: "events", cursor: kalshi },
  { door: "kalshi", path: /\/markets\/orderbooks$/, rows: "orderbooks" },
  { door: "kalshi", path: /\/v2\/markets\/candlesticks$/, rows: "markets" },
  { door: "kalshi", path: /\/candlesticks$/, rows: "candlesticks" },
  {
    door: "hackernews",
    path: /\/search_by_date$/,
    rows: "hits",
    page: "page",
    limit: { parameter: "hitsPerPage", least: 1 },
  },
  { door: "gdelt", path: /\/doc$/, rows: "articles" },
  { door: "x", path: /\/search\/recent$/, rows: "data", cursor: x, limit: { parameter: "max_results", least: 10 } },
];

/** What is known of a path of a door; undefined where an answer is a single thing. */
export function listingOf(door: FaultDoor, path: string): Listing | undefined {
  return listings.find((listing) => listing.door === door && listing.path.test(path));
}
