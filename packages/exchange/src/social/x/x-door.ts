import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { INNER_HEADER } from "../../faults/http/asked.ts";
import { one, type Query } from "../../polymarket/query-values.ts";
import type { Post } from "../../world/social-contract.ts";
import { isMatch } from "../query/clause.ts";
import type { SocialWorld } from "../social-world.ts";
import { SourcePosts } from "../source-posts.ts";
import { parseQuery } from "./parse-query.ts";
import { type Range, readRange } from "./read-range.ts";
import type { ReadMeter } from "./read-meter.ts";
import type { RequestLimits } from "./request-limits.ts";
import { searchPage } from "./search-page.ts";
import { operators } from "./to-tweet.ts";
import { plain, XProblem } from "./x-problem.ts";

export interface XDoorOptions {
  /** The one token that is let in. */
  bearer_token: string;
  limits: RequestLimits;
  meter: ReadMeter;
}

type Request = FastifyRequest<{ Querystring: Query }>;

/** X API v2, recent posts: https://api.x.com/2. */
export function xDoor(world: SocialWorld, { bearer_token, limits, meter }: XDoorOptions): FastifyPluginAsync {
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
    // What the faults ask for themselves is nobody's bill.
    if (headers[INNER_HEADER] === undefined) meter.read(page.posts, page.users);
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
