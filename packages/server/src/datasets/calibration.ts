import { asOfDay } from "../definition/timestamp.ts";
import { int, real, text } from "../definition/column.ts";
import { defineDataset } from "../definition/dataset.ts";
import { choice, day, wallet, whole, words } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, given, joined, sql, type Bound, type Sql } from "../definition/sql.ts";
import { MIN_FORECASTS, reliabilityBins, walletForecasts } from "../derivations/calibration/reliability-sql.ts";
import { calibrationPrices } from "../tables/calibration-prices.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";
import { walletTokenDays } from "../tables/wallet-token-days.ts";
import { formulaOf } from "./formula-of.ts";

const HOURS: Readonly<Record<string, number>> = { "1h": 1, "24h": 24, "7d": 168 };
const LEAST = bind("UInt32", MIN_FORECASTS);
const VENUES = ["polymarket", "kalshi"] as const;

const enough = (value: Sql): Sql => sql`if(n < ${LEAST}, NULL, ${value})`;

const MARKETS_ALONE = ["venue", "category", "horizon", "from_day"] as const;

type Requested = Readonly<Record<(typeof MARKETS_ALONE)[number], Bound | undefined>>;

function marketForecasts(p: Requested, asOf: Sql): Sql {
  const where = joined(
    [
      sql`NOT is_gone`,
      sql`day <= ${asOf}`,
      sql`horizon_hours = ${bind("UInt32", HOURS[String(p.horizon?.value)] ?? 24)}`,
      given(p.from_day, (first) => sql`day >= ${first}`),
      given(p.venue, (venue) => sql`venue = ${venue}`),
      given(
        p.category,
        (category) =>
          sql`(lowerUTF8(category) = lowerUTF8(${category}) OR startsWith(lowerUTF8(category), concat(lowerUTF8(${category}), ' / ')))`,
      ),
    ],
    sql` AND `,
  );
  return sql`(SELECT toFloat64(price) AS price, toFloat64(payout) AS payout FROM ${calibrationPrices} FINAL WHERE ${where})`;
}

export const calibration = defineDataset({
  agentId: 1005,
  name: "calibration",
  title: "Calibration",
  summary:
    "How often outcomes priced at p occurred: reliability bins of both venues' resolved markets at a fixed time before their end, or of a wallet's buys, with intervals and the parts of the Brier score.",
  plan: "free",
  params: {
    venue: choice(...VENUES).describe("Venue of the markets; both if omitted."),
    category: words().describe("Category or the start of a category path, in any letter case."),
    horizon: choice(...Object.keys(HOURS))
      .default("24h", "proxy_wallet")
      .describe(
        "Time before the end (earliest of resolution, end of trading and, on Polymarket, scheduled end) at which the last price is taken.",
      ),
    proxy_wallet: wallet()
      .list()
      .describe(
        "Use these wallets' Polymarket buys as the forecasts: one per token and day, at the day's average price. Cannot be combined with venue, category, horizon or from_day.",
      ),
    bins: whole(2, 100).default("10").describe("Number of bins of equal width from 0 to 1."),
    from_day: day().describe("Markets resolved on this UTC day or later."),
    as_of: day().untilToday().describe("Only markets resolved by the end of this UTC day; now if omitted."),
  },
  row: {
    bin: int().describe("Bin number, from 0. Bins without a forecast are omitted."),
    price_from: real("USD per share").describe("Lower edge of the bin."),
    price_to: real("USD per share").describe("Upper edge; in the bin only if it is 1."),
    n: int().describe("Forecasts in the bin."),
    status: text().describe("ok, or insufficient_sample under 5 forecasts; the observed fields are then null."),
    mean_price: real("USD per share").describe("Mean forecast of the bin."),
    observed: real().maybe("Mean payout: the observed frequency."),
    observed_low: real().maybe("Lower end of Wilson's 95 % interval of observed."),
    observed_high: real().maybe("Upper end of that interval."),
    total_n: int().describe("Forecasts in all bins. This and the following fields are the same on every row."),
    base_rate: real().describe("Mean payout of all forecasts."),
    brier: real().describe("Mean (price − payout)² of all forecasts."),
    reliability: real().describe("REL = Σ n (mean_price − observed)² / total_n: lower is better."),
    resolution: real().describe("RES = Σ n (observed − base_rate)² / total_n: higher is better."),
    uncertainty: real().describe("UNC = variance of the payouts, base_rate × (1 − base_rate) if all are 0 or 1."),
    within_bins: real().describe("brier − (REL − RES + UNC): the effect of price spread within bins."),
  },
  limit: { default: 100, max: 1000 },
  cost: { base: 3, each: 0.05 },
  order: "bin ascending",
  tables: [calibrationPrices],
  tablesWith: { param: "proxy_wallet", tables: [walletTokenDays, polymarketResolutions, polymarketMarkets] },
  asOf: "as_of",
  ordered: { from: "from_day", to: "as_of" },
  check: (sent) =>
    sent.has("proxy_wallet") && MARKETS_ALONE.some((name) => sent.has(name))
      ? "venue, category, horizon and from_day cannot be asked with proxy_wallet: its forecasts are all it bought on Polymarket"
      : undefined,
  query: (p, asking) => {
    const asOf = asOfDay(p.as_of, asking.now);
    const bins = p.bins ?? bind("Int64", 10);
    const forecasts = p.proxy_wallet ? walletForecasts(p.proxy_wallet, asOf) : marketForecasts(p as Requested, asOf);
    return {
      select: {
        price_from: sql`bin / ${bins}`,
        price_to: sql`(bin + 1) / ${bins}`,
        status: sql`if(n < ${LEAST}, 'insufficient_sample', 'ok')`,
        observed: enough(sql`observed`),
        observed_low: enough(sql`observed_low`),
        observed_high: enough(sql`observed_high`),
        total_n: sql`total`,
        base_rate: sql`base`,
        within_bins: sql`brier - (reliability - resolution + uncertainty)`,
      },
      from: reliabilityBins(forecasts, bins),
      order: [orderKey(sql`bin`, "asc", "integer", "bin")],
    };
  },
  formula: formulaOf("calibration"),
  notes: [
    "Markets without a trade before the horizon have no forecast and are omitted.",
    "Compare brier with uncertainty: near-certain outcomes give a low score without skill.",
  ],
  related: [575, 581],
  examples: [
    { title: "Both venues a day before the end", params: {} },
    { title: "Kalshi an hour before, in twenty bins", params: { venue: "kalshi", horizon: "1h", bins: "20" } },
  ],
});
