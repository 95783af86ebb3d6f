import type { Batch, Feed, PullOptions } from "../../../definition/connector.ts";
import { timestampIso } from "../exact/values.ts";
import { type GammaMarket, marketPageWire } from "../gamma/gamma-market-wire.ts";
import { keysetPages } from "../gamma/keyset-pages.ts";
import { readRoles, TakerRows, toDataFills } from "./to-data-fills.ts";
import { tradesV2Pages, UnreadTrades, wholeSeconds } from "./trades-v2-pages.ts";
import type { DataTrade } from "./trades-v2-wire.ts";

/** The most ids that `condition` accepts. */
const CONDITIONS_A_CALL = 20;
/** The oldest trades that a feed by condition serves. */
const WINDOW_MS = 3 * 365 * 86_400_000;

type Range = { readonly from: string; readonly to: string };
type Place = { readonly closed: boolean; readonly after: string | undefined };

/**
 * The trades of a backfill range, market by market: start and end are honoured for a wallet only, so each market traded
 * and listed in the range is walked back to its start. The cursor contains the position in Gamma's list of markets.
 */
export async function* backfillTrades(
  options: PullOptions,
  gamma: Feed,
  range: Range,
): AsyncGenerator<Batch, void, void> {
  const saved = options.cursor?.["after"];
  let place: Place = {
    closed: options.cursor?.["closed"] === true,
    after: typeof saved === "string" ? saved : undefined,
  };
  if (options.cursor?.["done"] !== true) {
    for (const closed of place.closed ? [true] : [false, true]) {
      if (closed !== place.closed) place = { closed, after: undefined };
      yield* walkMarkets(options, gamma, range, place);
    }
  }
  if (options.signal.aborted) return;
  const edge = new Date(options.now() - WINDOW_MS).toISOString();
  const isBeyond = range.from < edge;
  const reason = "the Data API serves three years of a market's trades";
  yield {
    rows: [],
    cursor: { closed: true, after: null, done: true },
    since: isBeyond ? edge : range.from,
    reached: range.to,
    isCaughtUp: true,
    ...(isBeyond ? { gap: { from: range.from, to: edge < range.to ? edge : range.to, reason } } : {}),
  };
}

async function* walkMarkets(
  options: PullOptions,
  gamma: Feed,
  range: Range,
  place: Place,
): AsyncGenerator<Batch, void, void> {
  const query = [
    ["closed", String(place.closed)],
    ["order", "id"],
    ["ascending", "true"],
    ["volume_num_min", "0.000001"],
  ] as const;
  const walk = {
    feed: gamma,
    path: "/markets/keyset",
    route: "markets",
    query,
    reply: marketPageWire,
    after: place.after,
  };
  let after = place.after ?? null;
  for await (const { page, next } of keysetPages(walk)) {
    const conditions = page.markets
      .filter((market) => isWithin(market, range))
      .flatMap(({ conditionId }) => conditionId ?? []);
    for (let index = 0; index < conditions.length; index += CONDITIONS_A_CALL) {
      if (options.signal.aborted) return;
      const some = conditions.slice(index, index + CONDITIONS_A_CALL);
      for await (const rows of walkTrades(options, some, range)) {
        yield { rows, cursor: { closed: place.closed, after, done: false } };
      }
    }
    after = next ?? null;
    if (after !== null) yield { rows: [], cursor: { closed: place.closed, after, done: false } };
  }
}

/** Walks of a market if a page of either feed is missing each time; after that, roles stay unknown. */
const MAX_WALKS = 3;

/**
 * A transaction without its taker's fill is left to the next walk, because roles stored as unknown stay so. That walk
 * requests only the markets with such transactions.
 */
async function* walkTrades(options: PullOptions, conditions: readonly string[], range: Range) {
  let requested = conditions;
  for (let left = MAX_WALKS; left > 0 && requested.length > 0; left -= 1) {
    const again = new Set<string>();
    for await (const { wanted, lacking, roleOf } of readTrades(options, requested, range)) {
      const isLeft = ({ tx_hash }: DataTrade): boolean => left > 1 && lacking.has(tx_hash);
      for (const row of wanted) if (isLeft(row)) again.add(row.condition_id);
      const kept = wanted.filter((row) => !isLeft(row));
      if (kept.length > 0) yield toDataFills(kept, roleOf);
    }
    requested = [...again];
  }
}

/** The trades of these markets within the range, newest first, in complete seconds, with their roles. */
async function* readTrades(options: PullOptions, conditions: readonly string[], range: Range) {
  const [from, to] = [Math.floor(Date.parse(range.from) / 1000), Math.floor(Date.parse(range.to) / 1000)];
  const unread = new UnreadTrades();
  const takers = new TakerRows(tradesV2Pages(options, { takerOnly: true, conditions, unread }));
  for await (const chunk of wholeSeconds(tradesV2Pages(options, { takerOnly: false, conditions, unread }))) {
    const oldest = chunk.at(-1)?.seconds ?? 0;
    await takers.readTo(Math.max(oldest, from));
    const wanted = chunk.filter((row) => row.seconds >= from && row.seconds <= to && !unread.has(row));
    if (wanted.length > 0) yield { wanted, ...readRoles(wanted, (row) => takers.roleOf(row)) };
    takers.forget(oldest);
    if (oldest < from) return;
  }
}

/** Whether a market was listed before the range ended and closed after it began; true for an unknown time. */
function isWithin(market: GammaMarket, range: Range): boolean {
  const listed = timestampIso(market.createdAt ?? market.startDate, "seconds");
  const closed = market.closed === true ? timestampIso(market.closedTime, "seconds") : null;
  return (
    (listed === null || Date.parse(listed) <= Date.parse(range.to)) &&
    (closed === null || Date.parse(closed) >= Date.parse(range.from))
  );
}
