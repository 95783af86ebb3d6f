import type { FastifyInstance, FastifyRequest } from "fastify";
import { atPath } from "../json-object.ts";
import type { FaultEndpoint } from "../fault-endpoint.ts";
import type { Storm } from "../storm.ts";
import { INNER_HEADER, type Listing, listingOf } from "./listing.ts";
import { isFollowing, type PageMemory, urlAfter } from "./page-memory.ts";

interface Book {
  app: FastifyInstance;
  storm: Storm;
  endpoint: FaultEndpoint;
  memory: PageMemory;
}

/** Returns the previous or the next page in place of the requested one; undefined to leave the page as it is. */
export async function turnPage(
  { app, storm, endpoint, memory }: Book,
  request: FastifyRequest,
  page: string,
): Promise<string | undefined> {
  const { url } = request;
  const path = url.split("?", 1)[0] ?? url;
  const listing = listingOf(endpoint, path);
  if (listing === undefined) return undefined;
  const before = isFollowing(url, listing) ? memory.before(url) : undefined;
  if (storm.has("repeat_page", endpoint)) memory.keep(url, page);
  const repeat = before === undefined ? undefined : storm.strike(["repeat_page"], endpoint, path);
  if (before !== undefined && repeat !== undefined) {
    repeat.landed();
    memory.keep(url, before);
    return before;
  }
  const skip = storm.strike(["skip_page"], endpoint, path);
  if (skip === undefined) return undefined;
  const body: unknown = JSON.parse(page);
  const rows = atPath(body, listing.rows);
  const after = urlAfter(url, listing, atPath(body, listing.cursor?.next ?? ""), Array.isArray(rows) ? rows.length : 0);
  const answer =
    after === undefined ? undefined : await ask(app, request, shortened(after, listing, skip.fault.page_rows));
  if (answer === undefined) return undefined;
  skip.landed();
  return answer;
}

function shortened(url: string, { limit }: Listing, most: number | undefined): string {
  const parsed = new URL(url, "http://faults.invalid");
  const { parameter, least } = limit ?? { parameter: "limit", least: 1 };
  if (most !== undefined) parsed.searchParams.set(parameter, String(Math.max(least, most)));
  return `${parsed.pathname}${parsed.search}`;
}

async function ask(app: FastifyInstance, { headers }: FastifyRequest, url: string): Promise<string | undefined> {
  const kept = Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === "authorization" || name.startsWith("kalshi-")),
  );
  const answer = await app.inject({ method: "GET", url, headers: { ...kept, [INNER_HEADER]: "1" } });
  return answer.statusCode === 200 ? answer.body : undefined;
}
