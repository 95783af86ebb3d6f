import type { FaultEndpoint } from "../fault-endpoint.ts";
import type { FastifyRequest } from "fastify";
import { isJsonObject } from "../json-object.ts";

/** Where the rows of a response are, and how its pages are addressed. */
export interface Listing {
  /** Dotted key of the list; "" if the body is the list. */
  rows: string;
  /** Cursor paging: the parameter that carries the cursor and the dotted key of the next one. */
  cursor?: { parameter: string; next: string };
  /** Paging by `offset` and `limit`. */
  by_offset?: boolean;
  /** Paging by a page number from 0: the parameter that carries it. */
  page?: string;
  /** The page-size parameter and its minimum; default `limit` and 1. */
  limit?: { parameter: string; least: number };
}

const keyset = { parameter: "after_cursor", next: "next_cursor" };
const v2 = { parameter: "cursor", next: "pagination.next_cursor" };
const x = { parameter: "next_token", next: "meta.next_token" };
const kalshi = { parameter: "cursor", next: "cursor" };

const listings: readonly (Listing & { endpoint: FaultEndpoint; path: RegExp })[] = [
  { endpoint: "gamma", path: /^\/markets\/keyset$/, rows: "markets", cursor: keyset },
  { endpoint: "gamma", path: /^\/events\/keyset$/, rows: "events", cursor: keyset },
  { endpoint: "gamma", path: /^\/tags$/, rows: "", by_offset: true },
  { endpoint: "data", path: /^\/v2\//, rows: "data", cursor: v2 },
  { endpoint: "clob", path: /^\/books$/, rows: "" },
  { endpoint: "kalshi", path: /\/(markets|historical)\/trades$/, rows: "trades", cursor: kalshi },
  { endpoint: "kalshi", path: /\/v2\/(historical\/)?markets$/, rows: "markets", cursor: kalshi },
  { endpoint: "kalshi", path: /\/events$/, rows: "events", cursor: kalshi },
  { endpoint: "kalshi", path: /\/markets\/orderbooks$/, rows: "orderbooks" },
  { endpoint: "kalshi", path: /\/v2\/markets\/candlesticks$/, rows: "markets" },
  { endpoint: "kalshi", path: /\/candlesticks$/, rows: "candlesticks" },
  {
    endpoint: "hackernews",
    path: /\/search_by_date$/,
    rows: "hits",
    page: "page",
    limit: { parameter: "hitsPerPage", least: 1 },
  },
  { endpoint: "gdelt", path: /\/doc$/, rows: "articles" },
  { endpoint: "x", path: /\/search\/recent$/, rows: "data", cursor: x, limit: { parameter: "max_results", least: 10 } },
];

/** Returns the listing served at a path of an endpoint; undefined if the response is a single object. */
export function listingOf(endpoint: FaultEndpoint, path: string): Listing | undefined {
  return listings.find((listing) => listing.endpoint === endpoint && listing.path.test(path));
}

/** Header of requests that the faults themselves send to an endpoint; these bypass all faults. */
export const INNER_HEADER = "x-fault-inner";

/** Path of a request for matching faults; for RPC it is the method, for a batch the first method. */
export function requestedPath(endpoint: FaultEndpoint, request: FastifyRequest): string {
  if (endpoint !== "rpc") return request.url.split("?", 1)[0] ?? request.url;
  const first: unknown = Array.isArray(request.body) ? request.body[0] : request.body;
  return isJsonObject(first) ? String(first["method"]) : "";
}
