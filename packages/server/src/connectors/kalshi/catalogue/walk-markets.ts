import type { Batch, PullOptions } from "../../../definition/connector.ts";
import { kalshiMarkets } from "../../../tables/kalshi-markets.ts";
import type { Filters } from "../wire/kalshi-call.ts";
import { learnEvents, type EventFacts } from "./learn-events.ts";
import { marketsReply, type MarketReply } from "./market-reply.ts";
import { toMarket } from "./to-market.ts";
import { repeatNotices, walkPages } from "../wire/walk-pages.ts";

export type MarketsStep = {
  readonly page: readonly MarketReply[];
  readonly filters: Filters;
  readonly batch: Pick<Batch, "rows" | "notices">;
  readonly next: string | undefined;
};

/** Pages of markets as rows, without combos, each with its event's series and category. */
export async function* walkMarkets(
  options: Pick<PullOptions, "feed" | "signal" | "now">,
  path: "/markets" | "/historical/markets",
  filters: Filters,
  known: Map<string, EventFacts>,
  from?: string,
): AsyncGenerator<MarketsStep> {
  const { feed, signal } = options;
  const walk = { feed, signal, path, reply: marketsReply, from };
  for await (const step of walkPages({ ...walk, filters: { limit: 1000, mve_filter: "exclude", ...filters } })) {
    const page = step.page.markets ?? [];
    await learnEvents(
      options,
      page.map((market) => market.event_ticker),
      known,
    );
    const rows = page.map((market) => toMarket(market, known.get(market.event_ticker), options.now()));
    yield {
      page,
      filters,
      next: step.next,
      batch: { rows: [{ table: kalshiMarkets, rows }], ...repeatNotices(step, path) },
    };
  }
}
