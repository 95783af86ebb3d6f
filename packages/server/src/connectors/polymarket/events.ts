import { definePull } from "../../definition/connector.ts";
import { microText } from "../../definition/value-text.ts";
import { MIB } from "../../definition/upstream-bounds.ts";
import type { InsertRow } from "../../definition/table.ts";
import { polymarketEvents } from "../../tables/polymarket-events.ts";
import { type Catalogue, type CatalogueWalk, catalogueCycle, newestWalk } from "./gamma/catalogue-cycle.ts";
import { eventPageWire, type GammaEvent } from "./gamma/gamma-event-wire.ts";
import { ifAbsent } from "./gamma/market-rows.ts";
import { toMicro, timestampIso } from "./exact/values.ts";
import { gammaHost } from "./hosts.ts";

const WEEK_MS = 7 * 86_400_000;

const list = (closed: boolean, ascending: boolean): readonly (readonly [string, string])[] => [
  ["closed", String(closed)],
  ["order", "id"],
  ["ascending", String(ascending)],
];

/** New events every cycle; open ones and those that ended within a week every ten minutes; all closed ones daily. */
const walks: readonly CatalogueWalk<GammaEvent>[] = [
  newestWalk(() => list(false, false)),
  { name: "active", everySeconds: 600, query: () => list(false, true) },
  {
    name: "ended",
    everySeconds: 600,
    query: (nowMs) => [...list(true, true), ["end_date_min", new Date(nowMs - WEEK_MS).toISOString()]],
  },
  { name: "history", everySeconds: 86_400, query: () => list(true, true) },
];

const catalogue: Catalogue<typeof eventPageWire, GammaEvent> = {
  path: "/events/keyset",
  route: "events",
  reply: eventPageWire,
  // Each event contains its markets: sports events have dozens, of 7 kB each.
  maxBytes: 32 * MIB,
  items: (page) => page.events,
  toRows: (items) => ({ rows: [{ table: polymarketEvents, rows: items.map(toEvent) }] }),
  walks,
  whole: ["active", "history"],
};

/** Polymarket's events, from Gamma. */
export const polymarketEventsStream = definePull({
  name: "polymarket-events",
  title: "Polymarket's catalogue of events",
  venue: "polymarket",
  host: gammaHost,
  tables: [polymarketEvents],
  everySeconds: 30,
  canBackfill: false,
  pull: (options) => catalogueCycle(catalogue, options),
  replay: ({ read }) => catalogue.toRows(read(eventPageWire).events, "").rows.map(ifAbsent),
});

/** A row of polymarket_events. */
export function toEvent(event: GammaEvent): InsertRow {
  return {
    event_id: event.id,
    slug: event.slug,
    title: event.title ?? "",
    series_slug: event.seriesSlug ?? event.series?.[0]?.slug ?? "",
    start_date: timestampIso(event.startDate, "micros"),
    end_date: timestampIso(event.endDate, "seconds"),
    created_date: timestampIso(event.creationDate ?? event.createdAt, "micros"),
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
