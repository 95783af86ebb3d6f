import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { z } from "zod";
import type { PolymarketMarket } from "../world/contract.ts";
import type { World } from "../world/world.ts";
import { bookMessage } from "./clob/book-message.ts";
import { findOpenToken, findToken, type Token } from "./clob/find-token.ts";
import { marketRow, simplifiedRow } from "./clob/market-row.ts";
import { offsetCursorPage } from "./clob/offset-cursor.ts";
import { pricesHistory } from "./clob/prices-history.ts";
import { quoteLastTrade, quoteMiddle, quotePrice, quoteSpread } from "./clob/quote.ts";
import { one, type Query } from "./query-values.ts";

/** Settings of the CLOB door. */
export interface ClobDoorOptions {
  /** How long a new market is known to Gamma and not yet to `/markets/{condition_id}`, in ms of world time. Default 2 minutes. */
  listing_lag_ms?: number;
}

type App = Parameters<FastifyPluginAsync>[0];

const noBook = "No orderbook exists for the requested token id";
const side = z.enum(["BUY", "SELL"]);
const tokenList = z.array(z.object({ token_id: z.string(), side: side.optional() })).max(500);

/** The public reads of the CLOB: https://clob.polymarket.com. Rules: reference polymarket.md §2. */
export function clobDoor(world: World, options: ClobDoorOptions = {}): FastifyPluginAsync {
  return async (app) => {
    app.get("/ok", async () => JSON.stringify("OK"));
    app.get("/time", async (_request, reply) =>
      reply.type("application/json").send(String(Math.floor(world.now() / 1000))),
    );
    mountQuotes(app, world);
    mountBatches(app, world);
    mountFacts(app, world);
    mountLists(app, world, options.listing_lag_ms ?? 120_000);
  };
}

function mountQuotes(app: App, world: World): void {
  const quote = (path: string, answer: (token: Token, query: Query, reply: FastifyReply) => unknown): void => {
    app.get<{ Querystring: Query }>(path, async ({ query }, reply) => {
      const id = one(query, "token_id");
      if (id === undefined) return fail(reply, 400, "Invalid token id");
      const token = findOpenToken(world, id);
      return token === undefined ? fail(reply, 404, noBook) : answer(token, query, reply);
    });
  };
  quote("/book", (token) => bookMessage(token.market, token.outcome));
  quote("/price", (token, query, reply) => {
    const asked = side.safeParse(one(query, "side")?.toUpperCase());
    return asked.success ? { price: quotePrice(token, asked.data) } : fail(reply, 400, "Invalid side");
  });
  quote("/midpoint", (token) => ({ mid: quoteMiddle(token) }));
  quote("/spread", (token) => ({ spread: quoteSpread(token) }));
  app.get<{ Querystring: Query }>("/last-trade-price", async ({ query }, reply) => {
    const token = findToken(world, one(query, "token_id"));
    return token === undefined ? fail(reply, 404, noBook) : quoteLastTrade(token);
  });
  app.get<{ Querystring: Query }>("/prices-history", async ({ query }, reply) => {
    const id = one(query, "market");
    if (id === undefined) return fail(reply, 400, "invalid filters: 'market' is required");
    const token = findToken(world, id);
    if (token === undefined) return { history: [] };
    const answer = pricesHistory(token, query, world.reached());
    return "error" in answer ? fail(reply, 400, answer.error) : answer;
  });
}

function mountBatches(app: App, world: World): void {
  type Asked = { token_id: string; side?: "BUY" | "SELL" | undefined; token: Token };
  const batch = (path: string, answer: (asked: Asked[]) => unknown): void => {
    app.post(path, async ({ body }, reply) => {
      const list = tokenList.safeParse(body);
      if (!list.success) return fail(reply, 400, "Invalid payload");
      const asked = list.data.flatMap((item): Asked[] => {
        const token = findOpenToken(world, item.token_id);
        return token === undefined ? [] : [{ ...item, token }];
      });
      return answer(asked);
    });
    // The specification has GET forms; the live service refuses them.
    app.get(path, async (_request, reply) => fail(reply, 400, "Invalid payload"));
  };
  const mapped = (value: (token: Token) => unknown) => (asked: Asked[]) =>
    Object.fromEntries(asked.map(({ token_id, token }) => [token_id, value(token)]));
  batch("/books", (asked) => asked.map(({ token }) => bookMessage(token.market, token.outcome)));
  batch("/midpoints", mapped(quoteMiddle));
  batch("/spreads", mapped(quoteSpread));
  batch("/prices", (asked) => {
    const prices: Record<string, Record<string, string>> = {};
    for (const { token_id, side: one_side, token } of asked) {
      const known = (prices[token_id] ??= {});
      for (const each of one_side === undefined ? side.options : [one_side]) known[each] = quotePrice(token, each);
    }
    return prices;
  });
  batch("/last-trades-prices", (asked) =>
    asked.flatMap(({ token_id, token }) => {
      const { price, side: last_side } = quoteLastTrade(token);
      return last_side === "" ? [] : [{ token_id, price, side: last_side }];
    }),
  );
}

function mountFacts(app: App, world: World): void {
  const fact = (path: string, answer: (market: PolymarketMarket) => unknown): void => {
    const reply = (id: string | undefined, send: FastifyReply): unknown => {
      const token = findToken(world, id);
      return token === undefined ? fail(send, 404, "market not found") : answer(token.market);
    };
    app.get<{ Querystring: Query }>(path, async ({ query }, send) => reply(one(query, "token_id"), send));
    app.get<{ Params: { token_id: string } }>(`${path}/:token_id`, async ({ params }, send) =>
      reply(params.token_id, send),
    );
  };
  fact("/tick-size", (market) => ({ minimum_tick_size: market.tick_e4 / 10_000 }));
  fact("/neg-risk", (market) => ({ neg_risk: market.neg_risk }));
  fact("/fee-rate", (market) => ({ base_fee: String(market.fee_rate_e4) }));
  app.get<{ Params: { token_id: string } }>("/markets-by-token/:token_id", async ({ params }, reply) => {
    const token = findToken(world, params.token_id);
    return token === undefined ? fail(reply, 404, "market not found") : { condition_id: token.market.condition_id };
  });
  app.get<{ Params: { id: string } }>("/clob-markets/:id", async ({ params }, reply) => {
    const market = world.polymarket.market(params.id);
    if (market?.condition_id !== params.id) return fail(reply, 404, "market not found");
    const tokens = market.token_ids.map((t, index) => ({ t, o: market.outcomes[index] }));
    return {
      fd: { r: market.fee_rate_e4 / 10_000, e: 1 },
      mts: market.tick_e4 / 10_000,
      nr: market.neg_risk,
      t: tokens,
    };
  });
}

function mountLists(app: App, world: World, lagMs: number): void {
  const list = (path: string, row: (market: PolymarketMarket) => unknown, open: boolean): void => {
    app.get<{ Querystring: Query }>(path, async ({ query }, reply) => {
      const markets = world.polymarket.markets;
      const listed = open ? markets.filter((market) => market.accepting_orders) : markets;
      return offsetCursorPage(listed, one(query, "next_cursor") ?? "", row) ?? fail(reply, 400, "Invalid next_cursor");
    });
  };
  list("/markets", marketRow, false);
  list("/simplified-markets", simplifiedRow, false);
  list("/sampling-markets", marketRow, true);
  list("/sampling-simplified-markets", simplifiedRow, true);
  app.get<{ Params: { id: string } }>("/markets/:id", async ({ params }, reply) => {
    const market = world.polymarket.market(params.id);
    const known = market?.condition_id === params.id && market.created_ms + lagMs <= world.reached();
    return known ? marketRow(market) : fail(reply, 404, "market not found");
  });
}

function fail(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error });
}
