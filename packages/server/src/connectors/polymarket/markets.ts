import { type Cursor, definePull } from "../../definition/connector.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { timestampIso } from "./exact/values.ts";
import {
  type Catalogue,
  type CatalogueWalk,
  catalogueCycle,
  type Learned,
  newestWalk,
} from "./gamma/catalogue-cycle.ts";
import { type GammaMarket, marketPageWire } from "./gamma/gamma-market-wire.ts";
import { marketRows, replayMarkets } from "./gamma/market-rows.ts";
import { gammaHost } from "./hosts.ts";

const CLOSING_OVERLAP_MS = 10 * 60_000;
const SETTLING_MS = 48 * 3_600_000;

type Query = readonly (readonly [string, string])[];

/** `closed` is always sent: the meaning of its absence has changed (reference/polymarket.md §1.3). */
const list = (closed: boolean, order: string, ascending: boolean): Query => [
  ["closed", String(closed)],
  ["order", order],
  ["ascending", String(ascending)],
  ["include_tag", "true"],
];

/**
 * How the catalogue is kept fresh cheaply. New markets and recent closings are at the head of two lists, so a page or
 * two every cycle finds them. Open markets' figures change all the time: all are walked every ten minutes. A closed
 * market changes until its resolution is final: those of two days are walked with them. All closed ones once a day.
 */
const walks: readonly CatalogueWalk<GammaMarket>[] = [
  newestWalk(() => list(false, "id", false)),
  {
    name: "closing",
    everySeconds: 0,
    query: () => list(true, "closedTime", false),
    isEnough: (items, cursor) => isOlder(items, cursor, CLOSING_OVERLAP_MS),
    learn: newestClosing,
  },
  { name: "active", everySeconds: 600, query: () => list(false, "id", true) },
  {
    name: "settling",
    everySeconds: 600,
    query: () => list(true, "closedTime", false),
    isEnough: (items, cursor) => isOlder(items, cursor, SETTLING_MS),
  },
  { name: "history", everySeconds: 86_400, query: () => list(true, "id", true) },
];

const catalogue: Catalogue<typeof marketPageWire, GammaMarket> = {
  path: "/markets/keyset",
  route: "markets",
  reply: marketPageWire,
  items: (page) => page.markets,
  toRows: marketRows,
  walks,
  whole: ["active", "history"],
};

/** Polymarket's markets and their tokens, from Gamma. */
export const polymarketMarketsStream = definePull({
  name: "polymarket-markets",
  title: "Polymarket's catalogue of markets",
  venue: "polymarket",
  host: gammaHost,
  tables: [polymarketMarkets, polymarketTokens],
  everySeconds: 20,
  canBackfill: false,
  pull: (options) => catalogueCycle(catalogue, options),
  replay: replayMarkets,
});

function closedMs(item: GammaMarket): number | undefined {
  const iso = timestampIso(item.closedTime, "seconds");
  return iso === null ? undefined : Date.parse(iso);
}

/**
 * One closing time in the future would stay the newest, and make every walk of closings end at its first page; without
 * any, the known one stays.
 */
function newestClosing(items: readonly GammaMarket[], learned: Learned, nowMs: number): Learned {
  const seen = items.reduce(
    (newest, item) => Math.max(newest, Math.min(closedMs(item) ?? 0, nowMs)),
    Number(learned["closed_until"] ?? 0),
  );
  return seen === 0 ? learned : { ...learned, closed_until: seen };
}

/** Whether a page of closings reaches this far behind the newest known one; the first time one page is enough. */
function isOlder(items: readonly GammaMarket[], cursor: Cursor, behindMs: number): boolean {
  const until = cursor["closed_until"];
  if (typeof until !== "number") return true;
  return items.some((item) => (closedMs(item) ?? Infinity) < until - behindMs);
}
