import { readWeightedList } from "../weighted-list.ts";

/** Paths that belong to programs, or to the reference: what is not there is not there. */
const NOT_PAGES = /^\/(?:api|docs|assets|mcp|stream|health|ready|metrics|openapi\.json)(?:\/|$)/;

/** Whether somebody with a browser asks for a page by an address of the dashboard's own: GET, and text/html by name. */
export function asksForPage(method: string, url: string, accept: string | undefined): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const path = url.split("?", 1)[0] ?? "";
  if (NOT_PAGES.test(path) || /\/\.|\.\.|%2e|%00|\\/i.test(path)) return false;
  return readWeightedList(accept ?? "").some(({ name, weight }) => name === "text/html" && weight > 0);
}
