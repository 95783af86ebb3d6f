import type { Batch, ReplayedPage, TableRows } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { polymarketMarkets } from "../../../tables/polymarket-markets.ts";
import { polymarketTokens } from "../../../tables/polymarket-tokens.ts";
import { type GammaMarket, marketPageWire } from "./gamma-market-wire.ts";
import { microText } from "../../../definition/value-text.ts";
import { timestampIso, toMicro } from "../exact/values.ts";
import { categoryPath } from "./tag-paths.ts";

/** Rows of a page of markets, with a notice for each kind of market skipped. */
export function marketRows(items: readonly GammaMarket[], nowIso: string): Pick<Batch, "rows" | "notices"> {
  const markets: InsertRow[] = [];
  const tokens: InsertRow[] = [];
  const left = { no_condition: 0, not_binary: 0 };
  for (const item of items) {
    const made = toMarket(item, nowIso);
    if (made.kept) {
      markets.push(made.market);
      tokens.push(...made.tokens);
    } else left[made.reason] += 1;
  }
  const notices = [
    {
      kind: "upstream_note" as const,
      text: "Markets without exactly two outcomes were skipped",
      count: left.not_binary,
    },
    { kind: "upstream_note" as const, text: "Markets without a condition id were skipped", count: left.no_condition },
  ].filter((notice) => notice.count > 0);
  const rows = [
    // Tokens come first: processing triggered by a market's row looks up the outcomes of its tokens.
    { table: polymarketTokens, rows: tokens },
    { table: polymarketMarkets, rows: markets },
  ];
  return notices.length > 0 ? { rows, notices } : { rows };
}

/** The markets of a parked page, stored only if not known yet. */
export function replayMarkets({ read, receivedMs }: ReplayedPage): TableRows[] {
  return marketRows(read(marketPageWire).markets, new Date(receivedMs).toISOString()).rows.map(ifAbsent);
}

/** Rows of an old page of the catalogue: they must not overwrite later reads. */
export function ifAbsent({ table, rows }: TableRows): TableRows {
  return { table, rows, mode: "if_absent" };
}

/** A market's rows, or why it has none: markets without a condition or without exactly two outcomes are skipped. */
export type MarketRows =
  | { readonly kept: true; readonly market: InsertRow; readonly tokens: readonly InsertRow[] }
  | { readonly kept: false; readonly reason: "no_condition" | "not_binary" };

/** The rows of polymarket_markets and polymarket_tokens. `nowIso` is used if Gamma gives no update time. */
export function toMarket(market: GammaMarket, nowIso: string): MarketRows {
  if (market.conditionId === undefined) return { kept: false, reason: "no_condition" };
  const [first, second, ...others] = market.outcomes ?? [];
  if (first === undefined || second === undefined || others.length > 0) return { kept: false, reason: "not_binary" };
  const tokens = market.clobTokenIds?.length === 2 ? market.clobTokenIds : [];
  const row = {
    condition_id: market.conditionId,
    gamma_id: market.id,
    question_id: market.questionID?.toLowerCase() ?? "",
    question: market.question,
    slug: market.slug,
    event_slug: market.events?.[0]?.slug ?? "",
    ...timestamps(market, nowIso),
    closed: market.closed ?? false,
    active: market.active ?? false,
    accepting_orders: market.acceptingOrders ?? false,
    ...figures(market),
    side_a_outcome: first,
    side_b_outcome: second,
    side_a_token_id: tokens[0] ?? "0",
    side_b_token_id: tokens[1] ?? "0",
    ...answer(market, [first, second]),
    category: categoryPath(market.tags ?? [], market.category),
    tags: market.tags?.flatMap((tag) => (tag.label === undefined ? [] : [tag.label])) ?? [],
    neg_risk: market.negRisk ?? false,
    neg_risk_market_id: (market.negRiskMarketID ?? market.events?.[0]?.negRiskMarketID ?? "").toLowerCase(),
    resolution_source: market.resolutionSource ?? "",
  };
  return { kept: true, market: row, tokens: tokens.map((token, index) => tokenRow(row, token, index)) };
}

function tokenRow(market: InsertRow, token_id: string, index: number): InsertRow {
  return {
    token_id,
    condition_id: market["condition_id"],
    outcome_index: index,
    outcome: index === 0 ? market["side_a_outcome"] : market["side_b_outcome"],
    slug: market["slug"],
  };
}

function timestamps(market: GammaMarket, nowIso: string): InsertRow {
  return {
    start_date: timestampIso(market.startDate, "micros"),
    end_date: timestampIso(market.endDate, "seconds"),
    event_start: timestampIso(market.eventStartTime ?? market.gameStartTime, "seconds"),
    closed_date: market.closed === true ? timestampIso(market.closedTime, "seconds") : null,
    updated_at: timestampIso(market.updatedAt, "micros") ?? timestampIso(market.createdAt, "micros") ?? nowIso,
  };
}

function figures(market: GammaMarket): InsertRow {
  const rate = market.feesEnabled === false ? undefined : market.feeSchedule?.rate;
  return {
    volume_total: money(market.volume) ?? "0",
    volume_24h: money(market.volume24hr) ?? "0",
    liquidity: money(market.liquidity) ?? "0",
    tick_size: money(market.orderPriceMinTickSize),
    min_size: money(market.orderMinSize),
    fee_rate: money(rate),
  };
}

function answer(market: GammaMarket, labels: readonly [string, string]): InsertRow {
  const prices = market.outcomePrices?.map((price) => toMicro(price)) ?? [];
  // Prices of 0 and 0 mean that Gamma has none (reference/polymarket.md §1.3).
  const known = prices.length === 2 && prices.some((price) => price !== 0n) ? prices : [];
  const { payoutMicro, winner } = resolution(market);
  return {
    side_a_price: known[0] === undefined ? null : microText(known[0]),
    side_b_price: known[1] === undefined ? null : microText(known[1]),
    winning_outcome: winner === null ? null : labels[winner],
    resolution_status: market.umaResolutionStatus ?? "",
    payout_a: payoutMicro === null ? null : microText(payoutMicro),
  };
}

function money(value: string | undefined): string | null {
  return value === undefined ? null : microText(toMicro(value));
}

/** The payout of outcome 0 per share, in millionths, and the outcome that pays 1; null while unresolved. */
export type Resolution = { readonly payoutMicro: bigint | null; readonly winner: 0 | 1 | null };

const UNRESOLVED: Resolution = { payoutMicro: null, winner: null };
const CERTAIN_MICRO = 990_000n;
const HALF_MICRO = 500_000n;
const ONE_MICRO = 1_000_000n;
const OPEN_STATUSES = new Set(["proposed", "challenged", "disputed", "requested", "reproposed"]);

/**
 * How a market ended (reference/polymarket.md §9.10): closed, with one price above 0.99 (AMM-era markets end at
 * 0.9999993), or at exactly one half each and marked resolved. A price above 1 is the oracle's "69", not set. While the
 * oracle's answer is proposed or disputed a closed market is not resolved, whatever its prices.
 */
export function resolution(market: GammaMarket): Resolution {
  const prices = market.outcomePrices;
  if (market.closed !== true || prices?.length !== 2) return UNRESOLVED;
  const status = market.umaResolutionStatus?.toLowerCase();
  if (status !== undefined && OPEN_STATUSES.has(status)) return UNRESOLVED;
  const [first, second] = [toMicro(prices[0] ?? "0"), toMicro(prices[1] ?? "0")];
  if (first > ONE_MICRO || second > ONE_MICRO) return UNRESOLVED;
  if (first > CERTAIN_MICRO && second < HALF_MICRO) return { payoutMicro: ONE_MICRO, winner: 0 };
  if (second > CERTAIN_MICRO && first < HALF_MICRO) return { payoutMicro: 0n, winner: 1 };
  const isSaidResolved = status === "resolved" || status === "settled" || market.automaticallyResolved === true;
  if (first === HALF_MICRO && second === HALF_MICRO && isSaidResolved) return { payoutMicro: HALF_MICRO, winner: null };
  return UNRESOLVED;
}
