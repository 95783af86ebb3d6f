import type { InsertRow } from "../../definition/table.ts";
import { credibility } from "./credibility.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Result of each statement for one market; absent if it returned nothing. */
export type MarketFindings = {
  readonly catalogue: Fields;
  readonly hours: Fields | undefined;
  readonly book: Fields | undefined;
  readonly holders: Fields | undefined;
  readonly brier: Fields | undefined;
  readonly percentile: number | undefined;
  readonly washUsd: string | undefined;
};

const HOUR_MS = 3_600_000;

const numberOr = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** The row of market_snapshots. Figures of an open book are null for a closed market. */
export function marketRow(found: MarketFindings, now: number): InsertRow {
  const { catalogue, hours = {}, holders = {} } = found;
  const book = bookFigures(catalogue["market_closed"] === true ? undefined : found.book);
  const volume = { volume_24h: hours["volume_24h"] ?? "0", volume_7d: hours["volume_7d"] ?? "0" };
  const listed = numberOr(catalogue["listed"]);
  const percentile = found.percentile ?? null;
  const judged = credibility({
    liquidity_percentile: percentile,
    hhi: numberOr(holders["hhi"]),
    unique_traders_7d: Number(hours["unique_traders_7d"] ?? 0),
    volume_ratio: Number(volume.volume_7d) === 0 ? null : (7 * Number(volume.volume_24h)) / Number(volume.volume_7d),
    price_volatility: numberOr(hours["price_volatility"]),
    age_hours: listed === null ? null : Math.max(0, (now - listed * 1000) / HOUR_MS),
    spread: numberOr(book.spread),
    thin_depth_usd: numberOr(book.thin_depth_usd),
  });
  return {
    condition_id: catalogue["id"],
    ...pick(catalogue, "slug", "question", "end_date", "created_at", "updated_at", "market_active", "market_closed"),
    ...volume,
    wash_usd_7d: found.washUsd ?? "0",
    ...counts(hours),
    price_volatility: hours["price_volatility"] ?? null,
    liquidity_percentile: percentile,
    holders: holders["holders"] ?? 0,
    ...pick(holders, "open_interest", "top1_share", "top3_share", "top10_share", "hhi"),
    ...pick(holders, "yes_avg_pnl", "no_avg_pnl", "net_pnl", "profit_loss_ratio"),
    ...book,
    brier_to_date: found.brier?.["brier_to_date"] ?? null,
    credibility: judged.score,
    credibility_reasons: judged.reasons,
  };
}

function counts(hours: Fields): InsertRow {
  const names = ["trades_7d", "peak_hour_trades", "unique_traders_7d"];
  return Object.fromEntries(names.map((name) => [name, hours[name] ?? 0]));
}

const BOOK = ["spread", "depth_usd_2c", "thin_depth_usd", "slippage_1k", "micro_price", "imbalance"] as const;

function bookFigures(book: Fields | undefined): Record<(typeof BOOK)[number], string | number | null> {
  if (book === undefined)
    return Object.fromEntries(BOOK.map((name) => [name, null])) as Record<(typeof BOOK)[number], null>;
  const [bid, ask] = [Number(book["bid_usd"]), Number(book["ask_usd"])];
  const [up, down] = [numberOr(book["up"]), numberOr(book["down"])];
  return {
    spread: String(book["spread"]),
    depth_usd_2c: (bid + ask).toFixed(6),
    thin_depth_usd: Math.min(bid, ask).toFixed(6),
    slippage_1k: up === null || down === null ? null : Math.max(up, down).toFixed(6),
    micro_price: String(book["micro_price"]),
    imbalance: bid + ask === 0 ? null : (bid - ask) / (bid + ask),
  };
}

function pick(from: Fields, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}
