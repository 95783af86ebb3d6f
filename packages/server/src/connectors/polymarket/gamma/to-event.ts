import type { InsertRow } from "../../../definition/table.ts";
import { microText } from "../../../definition/micro-text.ts";
import { momentIso } from "../exact/moments.ts";
import { toMicro } from "../exact/decimals.ts";
import type { GammaEvent } from "./gamma-event-wire.ts";

/** A row of polymarket_events. */
export function toEvent(event: GammaEvent): InsertRow {
  return {
    event_id: event.id,
    slug: event.slug,
    title: event.title ?? "",
    series_slug: event.seriesSlug ?? event.series?.[0]?.slug ?? "",
    start_date: momentIso(event.startDate, "micros"),
    end_date: momentIso(event.endDate, "seconds"),
    created_date: momentIso(event.creationDate ?? event.createdAt, "micros"),
    closed: event.closed ?? false,
    active: event.active ?? false,
    archived: event.archived ?? false,
    volume: microText(toMicro(event.volume ?? "0")),
    market_count: event.markets?.length ?? 0,
    neg_risk: event.negRisk ?? false,
    neg_risk_market_id: event.negRiskMarketID ?? "",
    tags: event.tags?.flatMap((tag) => (tag.label === undefined ? [] : [tag.label])) ?? [],
  };
}
