import type { FastifyPluginAsync } from "fastify";
import { z } from "zod";
import type { World } from "../world/world.ts";
import { bookMessage, findOpenToken } from "./clob/book-message.ts";

const requested = z.array(z.object({ token_id: z.string() })).max(500);

/** The order books of the CLOB: https://clob.polymarket.com. Rules: reference polymarket.md §2. */
export function clobEndpoint(world: World): FastifyPluginAsync {
  return async (app) => {
    app.post("/books", async ({ body }, reply) => {
      const list = requested.safeParse(body);
      if (!list.success) return reply.code(400).send({ error: "Invalid payload" });
      return list.data.flatMap(({ token_id }) => {
        const token = findOpenToken(world, token_id);
        return token === undefined ? [] : [bookMessage(token.market, token.outcome)];
      });
    });
  };
}
