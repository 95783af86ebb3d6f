import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { INNER_HEADER } from "../../faults/http/listing.ts";
import { one, type Query, commaList, numeric } from "../../polymarket/query-values.ts";
import type { Post } from "../../world/social-contract.ts";
import { isMatch } from "../query/search-query.ts";
import { type SocialWorld, SourcePosts } from "../source-posts.ts";
import { parseQuery } from "./parse-query.ts";
import { type Range, readRange } from "./read-range.ts";
import type { ReadMeter, RequestLimits } from "./app-usage.ts";
import { operators, toTweet, TWEET_FIELDS } from "./to-tweet.ts";
import { plain, XProblem, invalid } from "./x-problem.ts";

const LEAST = 10;
const MOST = 100;
const TOKEN = /^b26v89c([0-9a-z]{1,13})$/;

const SIMULATED = ["query", "max_results", "sort_order", "tweet.fields", "since_id", "until_id", "next_token"];

/** A page of results, newest first: the response body, and the ids of its posts. */
interface SearchPage {
  body: object;
  posts: readonly string[];
}

/** Builds a page; `found` is oldest first. Throws X's 400 for invalid parameters. */
function searchPage(found: readonly Post[], query: Query): SearchPage {
  const strange = Object.keys(query).find((name) => !SIMULATED.includes(name));
  if (strange !== undefined)
    throw invalid(
      strange,
      one(query, strange) ?? "",
      `The query parameter [${strange}] is not one of [${SIMULATED.join(",")}]`,
    );
  const fields = readChoices(query, "tweet.fields", TWEET_FIELDS);
  readChoices(query, "sort_order", ["recency"]);
  const most = readMost(query);
  const sorted = found.toReversed();
  const token = readToken(query);
  const start = token === undefined ? 0 : sorted.findIndex(({ rkey }) => rkey === token) + 1;
  // If the token's post has been deleted since, continue with the posts older than it.
  const left =
    start === 0 && token !== undefined
      ? sorted.filter(({ rkey }) => BigInt(rkey) < BigInt(token))
      : sorted.slice(start);
  const page = left.slice(0, most);
  const body = {
    ...(page.length > 0 && { data: page.map((post) => toTweet(post, fields)) }),
    meta: metaOf(page, left.length > page.length),
  };
  return { body, posts: page.map(({ rkey }) => rkey) };
}

function metaOf(page: readonly Post[], isMore: boolean): object {
  const [first] = page;
  const last = page.at(-1);
  if (first === undefined || last === undefined) return { result_count: 0 };
  return {
    newest_id: first.rkey,
    oldest_id: last.rkey,
    result_count: page.length,
    ...(isMore && { next_token: `b26v89c${BigInt(last.rkey).toString(36)}` }),
  };
}

function readToken(query: Query): string | undefined {
  const text = one(query, "next_token");
  if (text === undefined) return undefined;
  const [, digits] = TOKEN.exec(text) ?? [];
  if (digits === undefined)
    throw invalid("next_token", text, `The \`next_token\` query parameter value [${text}] is not valid`);
  return String([...digits].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n));
}

function readMost(query: Query): number {
  const most = numeric(query, "max_results") ?? LEAST;
  if (Number.isInteger(most) && most >= LEAST && most <= MOST) return most;
  const text = one(query, "max_results") ?? "";
  throw invalid(
    "max_results",
    text,
    `The \`max_results\` query parameter value [${text}] is not between ${LEAST} and ${MOST}`,
  );
}

function readChoices(query: Query, name: string, allowed: readonly string[]): string[] {
  const requested = commaList(query, name);
  const strange = requested.find((each) => !allowed.includes(each));
  if (strange === undefined) return requested;
  throw invalid(
    name,
    strange,
    `The \`${name}\` query parameter value [${strange}] is not one of [${allowed.join(",")}]`,
  );
}

export interface XEndpointOptions {
  /** The only accepted token. */
  bearer_token: string;
  limits: RequestLimits;
  meter: ReadMeter;
}

type Request = FastifyRequest<{ Querystring: Query }>;

/** X API v2, recent posts: https://api.x.com/2. */
export function xEndpoint(world: SocialWorld, { bearer_token, limits, meter }: XEndpointOptions): FastifyPluginAsync {
  const posts = new SourcePosts(world, "x");
  const find = (query: Query): Post[] => {
    const clause = parseQuery(one(query, "query") ?? "");
    const range = readRange(query, world.reached());
    return posts
      .standing(range.from_ms, range.before_ms)
      .filter(({ rkey }) => isWithin(BigInt(rkey), range))
      .filter((post) => isMatch(clause, post, operators));
  };
  const search = async ({ query, headers }: Request, reply: FastifyReply): Promise<object> => {
    limits.take(reply);
    const page = searchPage(find(query), query);
    // Requests made by the faults themselves are not billed.
    if (headers[INNER_HEADER] === undefined) meter.read(page.posts);
    return page.body;
  };
  return async (app) => {
    app.setErrorHandler(async (error, _request, reply) => {
      const { status, body } = error instanceof XProblem ? error : plain(500, "Internal Server Error");
      return reply.code(status).send(body);
    });
    app.setNotFoundHandler(async (_request, reply) => reply.code(404).send(plain(404, "Not Found").body));
    app.addHook("onRequest", async ({ headers }) => {
      if (headers.authorization !== `Bearer ${bearer_token}`) throw plain(401, "Unauthorized");
    });
    app.get<{ Querystring: Query }>("/2/tweets/search/recent", search);
  };
}

function isWithin(id: bigint, { above_id, below_id }: Range): boolean {
  return id > above_id && (below_id === undefined || id < below_id);
}
