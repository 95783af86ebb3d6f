import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { numeric, one, type Query } from "../../polymarket/query-values.ts";
import type { Post } from "../../world/social-contract.ts";
import type { SocialWorld } from "../social-world.ts";
import { SourcePosts } from "../source-posts.ts";
import { toHit, createdAt, tagsOf } from "./to-hit.ts";
import { postWords, wordsOf } from "../query/words.ts";

type Keep = (post: Post) => boolean;

const CONDITION = /^\s*(created_at_i|points|num_comments)\s*(<=|>=|!=|<|>|=)\s*(-?\d+)\s*$/;

/** Words, tags and numbers of a question to the index. A string is what is wrong with them. */
function hitsFilter(query: Query): Keep | string {
  const numbers = readConditions(one(query, "numericFilters") ?? "");
  if (typeof numbers === "string") return numbers;
  const tags = readTags(one(query, "tags") ?? "");
  if (typeof tags === "string") return tags;
  const words = wordsAsked(one(query, "query") ?? "");
  return (post) => numbers(post) && tags(post) && words(post);
}

/** Every word is to be there, the last one at least as a beginning; "quoted" ones as they follow each other. */
function wordsAsked(text: string): Keep {
  const phrases = [...text.matchAll(/"([^"]*)"/g)].map(([, phrase]) => wordsOf(phrase ?? ""));
  const bare = wordsOf(text.replace(/"[^"]*"?/g, " "))
    .split(" ")
    .filter((word) => word !== "");
  const parts = [...phrases, ...bare.map((word, place) => (place === bare.length - 1 ? ` ${word}` : ` ${word} `))];
  return (post) => {
    const searched = postWords(post) + wordsOf(post.handle);
    return parts.every((part) => searched.includes(part));
  };
}

/** Commas join, commas in parentheses give a choice. */
function readTags(text: string): Keep | string {
  if (text === "") return () => true;
  if (!/^(\([^()]+\)|[^(),]+)(,(\([^()]+\)|[^(),]+))*$/.test(text)) return "invalid tags";
  const groups = (text.match(/\([^()]+\)|[^(),]+/g) ?? []).map((group) => group.replace(/[()]/g, "").split(","));
  return (post) => {
    const tags = tagsOf(post);
    return groups.every((group) => group.some((tag) => tags.includes(tag.trim())));
  };
}

function readConditions(text: string): Keep | string {
  const conditions: Keep[] = [];
  for (const part of text.split(",").filter((each) => each.trim() !== "")) {
    const [, field = "", sign = "", value] = CONDITION.exec(part) ?? [];
    if (value === undefined) return `invalid numeric filter: ${part.trim()}`;
    conditions.push((post) => holds(numberOf(post, field), sign, Number(value)));
  }
  return (post) => conditions.every((condition) => condition(post));
}

function numberOf(post: Post, field: string): number | null {
  if (field === "created_at_i") return createdAt(post);
  if (post.parent !== null) return null;
  return field === "points" ? post.likes : post.replies;
}

function holds(number: number | null, sign: string, value: number): boolean {
  if (number === null) return false;
  if (sign === "<") return number < value;
  if (sign === "<=") return number <= value;
  if (sign === ">") return number > value;
  if (sign === ">=") return number >= value;
  return (number === value) === (sign === "=");
}

/** Whatever the page: what lies deeper is only found with other filters. */
const MOST_HITS = 1000;
const PAGE_HITS = 20;
const TOO_DEEP =
  "you can only fetch the 1000 hits for this query. You can extend the number of hits returned via the paginationLimitedTo index parameter or use the browse method. You can read our FAQ for more details about browsing: https://www.algolia.com/doc/faq/index-configuration/how-can-i-retrieve-all-the-records-in-my-index";

/** Hacker News by Algolia: https://hn.algolia.com/api. The index forgives no typing errors here. */
export function hackernewsDoor(world: SocialWorld): FastifyPluginAsync {
  const posts = new SourcePosts(world, "hackernews");
  const answer = (query: Query, reply: FastifyReply) => {
    const filter = hitsFilter(query);
    const [page, perPage] = [numeric(query, "page") ?? 0, numeric(query, "hitsPerPage") ?? PAGE_HITS];
    if (typeof filter === "string") return refuse(reply, filter);
    if (!isCount(page) || !isCount(perPage)) return refuse(reply, "page and hitsPerPage must be positive integers");
    const found = posts.standing(-Infinity, Infinity).filter(filter).toReversed();
    return pageOf(found, page, Math.min(perPage, MOST_HITS), one(query, "query") ?? "");
  };
  return async (app) => {
    app.get<{ Querystring: Query }>("/api/v1/search_by_date", async ({ query }, reply) => answer(query, reply));
    app.setNotFoundHandler((_request, reply) => void reply.code(404).send({ status: 404, error: "Not Found" }));
  };
}

function pageOf(found: readonly Post[], page: number, hitsPerPage: number, query: string) {
  const common = { page, hitsPerPage, query, exhaustiveNbHits: true, processingTimeMS: 1 };
  const start = page * hitsPerPage;
  if (start >= MOST_HITS) return { hits: [], nbHits: 0, nbPages: 0, ...common, message: TOO_DEEP };
  const reachable = Math.min(found.length, MOST_HITS);
  return {
    hits: found.slice(start, Math.min(start + hitsPerPage, MOST_HITS)).map((post) => toHit(post)),
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
