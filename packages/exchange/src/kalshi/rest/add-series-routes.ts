import type { FastifyInstance } from "fastify";
import type { KalshiContext } from "../context.ts";
import { toSeries } from "../reply/to-series.ts";

/** GET /series (all of it in one answer: it is not paginated). */
export function addSeriesRoutes(app: FastifyInstance, { world }: KalshiContext): void {
  app.get("/series", (_request, reply) => {
    void reply.header("cache-control", "public, max-age=15");
    return { series: world.kalshi.series.map(toSeries) };
  });
}
