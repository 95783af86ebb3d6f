import type { FastifyInstance } from "fastify";
import type { KalshiContext } from "../context.ts";
import { KalshiError } from "../kalshi-error.ts";
import { toSeries } from "../reply/to-series.ts";
import { Query } from "./query.ts";

/** GET /series (all of it in one answer: it is not paginated), /series/fee_changes, /series/{ticker}. */
export function addSeriesRoutes(app: FastifyInstance, context: KalshiContext): void {
  const volumeOf = (ticker: string): number =>
    context.world.kalshi.markets
      .filter((market) => market.event.series.ticker === ticker)
      .reduce((sum, market) => sum + market.volume_cc, 0);

  app.get("/series", (request, reply) => {
    const query = new Query(request.query);
    const category = query.text("category");
    const tags = query.list("tags");
    const volume = query.flag("include_volume") === true;
    void reply.header("cache-control", "public, max-age=15");
    return {
      series: context.world.kalshi.series
        .filter((series) => category === undefined || series.category === category)
        .filter((series) => tags.length === 0 || tags.some((tag) => series.tags.includes(tag)))
        .map((series) => toSeries(series, volume ? volumeOf(series.ticker) : undefined)),
    };
  });

  app.get("/series/fee_changes", () => ({ series_fee_change_arr: [] }));

  app.get<{ Params: { series: string } }>("/series/:series", (request) => {
    const series = context.world.kalshi.seriesOf(request.params.series);
    if (!series) throw new KalshiError(404, "not_found", "not found");
    const volume = new Query(request.query).flag("include_volume") === true;
    return { series: toSeries(series, volume ? volumeOf(series.ticker) : undefined) };
  });
}
