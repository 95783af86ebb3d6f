import type { PolymarketEvent, Tag } from "../../world/contract.ts";
import { calendarDate, isoPrecise, isoSeconds, postgresTime } from "../value-text.ts";

const picture = "https://polymarket-upload.s3.us-east-2.amazonaws.com/paper-event.png";

/** An event as Gamma returns it, without `markets` and `tags`. Numbers are numbers here, unlike on markets. */
export function eventObject(event: PolymarketEvent): Record<string, unknown> {
  const markets = event.markets;
  const sum = (amount: (index: number) => number): number =>
    markets.reduce((total, _market, index) => total + amount(index), 0) / 1_000_000;
  const volume = sum((index) => markets[index]?.volume_micro ?? 0);
  const day = sum((index) => markets[index]?.volume_24h_micro() ?? 0);
  const liquidity = sum((index) => (markets[index]?.closed ? 0 : (markets[index]?.liquidity_micro() ?? 0)));
  return {
    id: event.id,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    description: event.description,
    resolutionSource: markets[0]?.resolution_source ?? "",
    startDate: isoPrecise(event.start_ms),
    creationDate: isoPrecise(event.created_ms),
    endDate: isoSeconds(event.end_ms),
    image: picture,
    icon: picture,
    active: true,
    closed: isEventClosed(event),
    archived: false,
    new: false,
    featured: false,
    restricted: true,
    liquidity,
    liquidityClob: liquidity,
    volume,
    volume24hr: day,
    volume1wk: volume,
    volume1mo: volume,
    volume1yr: volume,
    openInterest: sum((index) => markets[index]?.open_interest_micro ?? 0),
    createdAt: isoPrecise(event.created_ms),
    updatedAt: isoPrecise(lastTimestamp(event)),
    competitive: 0.9,
    enableOrderBook: true,
    commentCount: 0,
    cyom: false,
    showAllOutcomes: true,
    showMarketImages: true,
    automaticallyActive: true,
    pendingDeployment: false,
    deploying: false,
    requiresTranslation: false,
    estimateValue: false,
    cumulativeMarkets: false,
    ...negRisk(event),
    ...schedule(event),
  };
}

/** Whether an event is closed, i.e. all of its markets are. */
export function isEventClosed(event: PolymarketEvent): boolean {
  return event.markets.length > 0 && event.markets.every((market) => market.closed);
}

function negRisk(event: PolymarketEvent): Record<string, unknown> {
  const shown = { negRisk: event.neg_risk, enableNegRisk: event.neg_risk, negRiskAugmented: false };
  return event.neg_risk ? { ...shown, negRiskMarketID: event.neg_risk_market_id, sortBy: "price" } : shown;
}

function schedule(event: PolymarketEvent): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  const start = event.markets[0]?.event_start_ms ?? null;
  if (start !== null) Object.assign(shown, { startTime: isoSeconds(start), eventDate: calendarDate(start) });
  if (isEventClosed(event)) shown["closedTime"] = isoSeconds(lastTimestamp(event));
  if (event.series === null) return shown;
  const { id, slug, title, recurrence } = event.series;
  const series = { id, ticker: slug, slug, title, seriesType: "single", recurrence, active: true, closed: false };
  return {
    ...shown,
    seriesSlug: slug,
    series: [{ ...series, archived: false, commentCount: 0, requiresTranslation: false }],
  };
}

function lastTimestamp(event: PolymarketEvent): number {
  return event.markets.reduce(
    (latest, market) => Math.max(latest, market.resolved_ms ?? market.closed_ms ?? 0),
    event.created_ms,
  );
}

/** A tag as Gamma returns it in lists and inside events. Its dates are the world's start time. */
export function tagObject(tag: Tag, worldStartMs: number): Record<string, unknown> {
  return {
    id: tag.id,
    label: tag.label,
    slug: tag.slug,
    forceShow: false,
    publishedAt: postgresTime(worldStartMs),
    createdAt: isoPrecise(worldStartMs),
    updatedAt: isoPrecise(worldStartMs),
    requiresTranslation: false,
  };
}
