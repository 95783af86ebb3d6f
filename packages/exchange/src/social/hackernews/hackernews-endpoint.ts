import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { numeric, one, type Query } from "../../polymarket/query-values.ts";
import type { Post } from "../../world/social-contract.ts";
import { type SocialWorld, SourcePosts } from "../source-posts.ts";
import { toHit } from "./to-hit.ts";

const CONDITION = /^created_at_i(>=|<)(\d+)$/;

/** Parses the time range in `numericFilters`, seconds, `before` excluded. Undefined for unsupported filters. */
function readWindow(text: string): { from: number; before: number } | undefined {
  const window = { from: -Infinity, before: Infinity };
  for (const part of text.split(",").filter((each) => each !== "")) {
    const [, sign, value] = CONDITION.exec(part) ?? [];
    if (value === undefined) return undefined;
    if (sign === "<") window.before = Number(value);
    else window.from = Number(value);
  }
  return window;
}

/** Maximum results over all pages; deeper ones are reachable only with other filters. */
const MAX_HITS = 1000;
const PAGE_HITS = 20;
/** The only supported tags, which select everything. */
const ALL = "(story,comment)";
const TOO_DEEP =
  "you can only fetch the 1000 hits for this query. You can extend the number of hits returned via the paginationLimitedTo index parameter or use the browse method. You can read our FAQ for more details about browsing: https://www.algolia.com/doc/faq/index-configuration/how-can-i-retrieve-all-the-records-in-my-index";

/**
 * Hacker News by Algolia: https://hn.algolia.com/api. Returns everything in a time range; filters by words, authors and
 * points are not simulated.
 */
export function hackernewsEndpoint(world: SocialWorld): FastifyPluginAsync {
  const posts = new SourcePosts(world, "hackernews");
  const answer = (query: Query, reply: FastifyReply) => {
    const window = readWindow(one(query, "numericFilters") ?? "");
    const [page, perPage] = [numeric(query, "page") ?? 0, numeric(query, "hitsPerPage") ?? PAGE_HITS];
    if (window === undefined) return refuse(reply, "invalid numeric filter");
    if (one(query, "query") !== undefined || (one(query, "tags") ?? ALL) !== ALL)
      return refuse(reply, "neither words nor other tags are simulated");
    if (!isCount(page) || !isCount(perPage)) return refuse(reply, "page and hitsPerPage must be positive integers");
    const found = posts.standing(window.from * 1000, window.before * 1000).toReversed();
    return pageOf(found, page, Math.min(perPage, MAX_HITS));
  };
  return async (app) => {
    app.get<{ Querystring: Query }>("/api/v1/search_by_date", async ({ query }, reply) => answer(query, reply));
    app.setNotFoundHandler((_request, reply) => void reply.code(404).send({ status: 404, error: "Not Found" }));
  };
}

function pageOf(found: readonly Post[], page: number, hitsPerPage: number) {
  const common = { page, hitsPerPage, query: "", exhaustiveNbHits: true, processingTimeMS: 1 };
  const start = page * hitsPerPage;
  if (start >= MAX_HITS) return { hits: [], nbHits: 0, nbPages: 0, ...common, message: TOO_DEEP };
  const reachable = Math.min(found.length, MAX_HITS);
  return {
    hits: found.slice(start, Math.min(start + hitsPerPage, MAX_HITS)).map((post) => toHit(post)),
    nbHits: found.length,
    nbPages: hitsPerPage === 0 ? 0 : Math.ceil(reachable / hitsPerPage),
    ...common,
  };
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(400).send({ message, status: 400 });
}
