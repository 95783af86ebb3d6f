import { flag, hexId, int, iso, list, num, real, shortened, text } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { isIn } from "../definition/filter.ts";
import { choice, condition, decimal, minOf, slug, whole } from "../definition/param-kinds.ts";
import { byAmount, orderKey } from "../definition/sorting.ts";
import { bind, given, sql, type Bound, type Sql } from "../definition/sql.ts";
import { asOfSnapshot, newestVersion } from "../definition/table-sql.ts";
import { labels, VOLUME_TRENDS } from "../derivations/market/labels-sql.ts";
import { marketSnapshots } from "../tables/market-snapshots.ts";
import { formulaOf } from "./formula-of.ts";

const MAX_USD = 1_000_000_000_000;
const BY_VOLUME: readonly OrderKey[] = [
  { ...byAmount(sql`volume_24h`, "current_volume_24h"), direction: "desc" },
  orderKey(sql`condition_id`, "asc", "hash", "condition_id"),
];
/** Volume trend labels by direction. */
const TRENDS: Readonly<Record<string, readonly string[]>> = {
  UP: ["Spiking"],
  DOWN: ["Declining", "Significant Decline", "Dying Interest"],
};
const labelsOf = ({ value }: Bound): Bound => bind("Array(String)", TRENDS[String(value)] ?? [String(value)]);
const percent = (share: Sql): Sql => sql`100 * ${share}`;

export const market360 = defineDataset({
  agentId: 575,
  name: "market-360",
  title: "Market 360",
  summary:
    "Quality of a market for trust and trading: volume and its trend, liquidity, holders, profits, its book, and a credibility figure with its reasons.",
  plan: "free",
  params: {
    condition_id: condition().list().describe("Market."),
    market_slug: slug().list().alias("slug").describe("Slug of the market."),
    min_volume_24h: minOf(decimal(0, MAX_USD)).off("0").describe("Minimum current_volume_24h in USD."),
    min_liquidity_percentile: minOf(decimal(0, 100)).off("0").describe("Minimum liquidity_percentile."),
    volume_trend: choice(...VOLUME_TRENDS, ...Object.keys(TRENDS)).describe(
      "Label of the volume's trend; UP for Spiking, DOWN for Declining, Significant Decline and Dying Interest.",
    ),
    min_top1_wallet_pct: minOf(decimal(0, 100)).off("0").describe("Minimum top1_wallet_pct in percent."),
    max_unique_traders_7d: whole(-1, 1_000_000_000).off("0").describe("Maximum unique_traders_7d."),
  },
  row: {
    snapshot_time: iso().describe("When a change of these figures was last detected."),
    condition_id: hexId().describe("Condition."),
    slug: text().describe("Slug."),
    question: text().describe("Question."),
    end_date: iso().maybe("Scheduled end."),
    market_active: flag().describe("Trading is open and the venue calls the market active."),
    market_closed: flag().describe("Trading has ended."),
    current_volume_24h: num("USD").describe(
      "Takers' notional (each match once) in the current hour and the 23 before it.",
    ),
    current_volume_7d: num("USD").describe("The same in the current hour and the 167 before it."),
    liquidity_percentile: real("percent").maybe(
      "Rank of the market's resting liquidity (574) among all active markets: 100 × (markets with less) / (markets − 1); null if not active.",
    ),
    liquidity_tier: text().maybe(
      "Label of liquidity_percentile: Top 5% from 95, Top 25% from 75, Average from 25, Low from 10, else Very Low; null if that is null.",
    ),
    liquidity_risk_flag: flag().describe("liquidity_percentile < 25."),
    volume_trend: text().describe(
      "No Trades when current_volume_7d is 0; else by volume_ratio_24h_to_7d: Dying Interest < 0.1, Significant Decline < 0.3, Declining < 0.7, Normal up to 2, Spiking beyond.",
    ),
    volume_collapse_risk_flag: flag().describe(
      "market_active, and volume_trend is Significant Decline or Dying Interest.",
    ),
    volume_ratio_24h_to_7d: real().maybe(
      "current_volume_24h / (current_volume_7d / 7), 0–7; null when current_volume_7d is 0.",
    ),
    top1_wallet_pct: real("percent").maybe(
      "Share of all open shares (both outcomes, wallets with 0.01 or more) held by the largest holder; null while no shares are open or known.",
    ),
    top3_wallet_pct: real("percent").maybe("The same for the three largest holders."),
    top10_wallet_pct: real("percent").maybe("The same for the ten largest holders."),
    whale_control_flag: flag().describe("top1_wallet_pct > 30 or top3_wallet_pct > 60."),
    unique_traders_7d: int().describe("Wallets with a fill, maker or taker, in the hours of current_volume_7d."),
    trades_per_hour_avg: real().describe("Takers' fills in these 168 hours / 168."),
    peak_hour_trades: int().describe("Most takers' fills in one of these hours."),
    trade_concentration_flag: flag().describe("peak_hour_trades ≥ 10 and more than 10 × trades_per_hour_avg."),
    squeeze_risk_flag: flag().describe(
      "whale_control_flag and liquidity_risk_flag together: a large holder and a thin book.",
    ),
    yes_avg_pnl: num("USD").maybe(
      "Mean profit of the wallets that ever held outcome 0: Σ (realised − fees) + shares × mark − cost, in that outcome, / their number; null without one. Resolved shares are realised at their payout.",
    ),
    no_avg_pnl: num("USD").maybe("The same for outcome 1."),
    winning_side: text().maybe(
      "Side with the higher mean profit: Yes (outcome 0) when yes_avg_pnl > no_avg_pnl, No when less; null when equal or unknown.",
    ),
    net_pnl: num("USD").maybe(
      "Profit of all wallets over both outcomes, after fees: the net amount the whole market paid in or out.",
    ),
    profit_loss_ratio: real().maybe(
      "Gains of all wallets in profit in the market / losses of those at a loss; null without a loss.",
    ),
    created_at: iso().maybe("When the market was listed."),
    updated_at: iso().describe("When the venue last changed the market."),
    hhi: real().maybe("Σ share² over all holders of open shares, 0–1; null if there are none."),
    effective_traders: real().maybe("1 / hhi: number of equal holders with the same concentration."),
    spread: num("USD per share").maybe(
      "Best ask − best bid of outcome 0, newest stored book of the last day; null if a side is empty or the market closed.",
    ),
    depth_usd_2c: num("USD").maybe("Notional of bids and asks within 0.02 of the mid; null if spread is."),
    slippage_1k: num("USD per share").maybe(
      "|average price of 1,000 USD taken from the book − mid|, the worse of buying and selling; null if spread is or a side holds less than 1,000 USD.",
    ),
    open_interest: num("USD").maybe(
      "(Open shares of outcome 0 + of outcome 1) / 2: complete sets outstanding, one dollar each.",
    ),
    volume_adj: real("USD").describe(
      "current_volume_24h × (1 − share of current_volume_7d matched between wallets with a wash pattern, by whole UTC days); a pattern, not proof.",
    ),
    credibility: real().maybe(
      "100 minus: up to 20 for liquidity_percentile under 25, 20 for hhi from 0.1 to 0.5, 15 for unique_traders_7d under 30, 10 for volume_ratio_24h_to_7d under 0.3, 10 for the standard deviation of hourly price changes of 7 days from 0.05 to 0.15, 10 for an age under 24 hours, 10 for a spread from 0.02 to 0.10, 5 for less than 100 USD within 2 cents on the thinner side; each in proportion. Null if an input is missing.",
    ),
    credibility_reasons: list().describe("Each deduction with its figure, or the missing inputs."),
    brier_to_date: real().maybe(
      "Mean (price − payout)² of outcome 0 over all minutes with a trade before trading ended or the market was resolved, whichever came first; null while unresolved.",
    ),
    micro_price: num("USD per share").maybe(
      "(best bid × size of the best ask + best ask × size of the best bid) / both sizes, from the book of spread; null if spread is.",
    ),
    imbalance: real("-1 to 1").maybe(
      "(bids − asks) / (bids + asks) of depth_usd_2c: 1 is all bids, -1 all asks; null if spread is or nothing is within 0.02.",
    ),
  },
  neverNull: "figures",
  limit: { default: 50, max: 1_000 },
  cost: { base: 1 },
  order: "current_volume_24h descending, then condition_id",
  tables: [marketSnapshots],
  venue: "polymarket",
  snapshot: newestVersion(marketSnapshots),
  cursorHours: 24,
  isHot: true,
  query: (p, asking) => ({
    select: {
      snapshot_time: sql`fromUnixTimestamp64Micro(toInt64(version), 'UTC')`,
      current_volume_24h: sql`volume_24h`,
      current_volume_7d: sql`volume_7d`,
      liquidity_tier: labels.tier,
      liquidity_risk_flag: labels.liquidityRisk,
      volume_trend: labels.trend,
      volume_collapse_risk_flag: labels.volumeCollapse,
      volume_ratio_24h_to_7d: labels.ratio,
      top1_wallet_pct: percent(sql`top1_share`),
      top3_wallet_pct: percent(sql`top3_share`),
      top10_wallet_pct: percent(sql`top10_share`),
      whale_control_flag: labels.whaleControl,
      trades_per_hour_avg: sql`trades_7d / 168`,
      trade_concentration_flag: labels.tradeConcentration,
      squeeze_risk_flag: labels.squeezeRisk,
      winning_side: labels.winningSide,
      effective_traders: sql`1 / nullIf(hhi, 0)`,
      volume_adj: sql`if(volume_7d = 0, 0, toFloat64(volume_24h) * greatest(0, 1 - toFloat64(wash_usd_7d) / toFloat64(volume_7d)))`,
    },
    from: asOfSnapshot(marketSnapshots, asking.snapshot),
    where: [
      given(p.condition_id, (ids) => isIn("condition_id", "condition", ids)),
      given(p.market_slug, (slugs) => isIn("slug", "text", slugs)),
      given(p.min_volume_24h, (usd) => sql`volume_24h >= ${usd}`),
      given(p.min_liquidity_percentile, (least) => sql`${shortened(sql`liquidity_percentile`)} >= toFloat64(${least})`),
      given(p.volume_trend, (trend) => sql`has(${labelsOf(trend)}, ${labels.trend})`),
      given(p.min_top1_wallet_pct, (least) => sql`${shortened(percent(sql`top1_share`))} >= toFloat64(${least})`),
      given(p.max_unique_traders_7d, (most) => sql`unique_traders_7d <= ${most}`),
    ],
    order: BY_VOLUME,
    key: sql`condition_id`,
  }),
  formula: formulaOf("market-360"),
  notes: [
    "Computed every five minutes for markets that were traded or changed, hourly for all other open ones; snapshot_time says when figures last changed.",
    "Holders are derived from wallets' ledgers: without the chain (the operator's POLYGON_RPC_URL), these lack splits, merges and redemptions.",
    "Flags and credibility describe a market's trading, not the truth of its question.",
  ],
  related: [574, 1004, 572, 596],
  guide: "patterns",
  examples: [
    { title: "The most traded markets with a liquid book", params: { min_liquidity_percentile: "75" } },
    { title: "Markets whose volume spikes", params: { volume_trend: "Spiking", min_volume_24h: "1000" } },
  ],
});
