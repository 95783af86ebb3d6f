import type { Formula } from "../../definition/formula.ts";

/** `least`: forecasts under which a bin says nothing. */
export const calibrationFormula = (least: number): readonly Formula[] => [
  {
    title: "Forecasts and bins",
    fields: ["price_from", "price_to", "mean_price", "observed", "n", "total_n", "status"],
    says: [
      "A forecast is the price of outcome 0 (of YES on Kalshi) at `horizon` before the end: the last trade up to then. The end is the earliest of resolution, end of trading and, on Polymarket, scheduled end, so a result that is out already is none. o is its payout, 0 to 1.",
      "With `proxy_wallet` a forecast is what a wallet paid on average for a token on a day; a day on which nothing was done with the token before the resolution has none.",
      "Bin b of B = `bins` holds prices from b/B up to, not including, (b + 1)/B; the last one holds 1 too. `mean_price` and `observed` are the means of price and o in it. With fewer than " +
        `${least} forecasts \`status\` is insufficient_sample and \`observed\` null.`,
    ],
  },
  {
    title: "Wilson's interval",
    fields: ["observed_low", "observed_high"],
    says: [
      "With q = `observed`, z = 1.96: (q + z²/2n ∓ z·√(q(1 − q)/n + z²/4n²)) / (1 + z²/n), kept within 0 and 1. It supposes independent forecasts; markets of one event are not.",
    ],
  },
  {
    title: "Brier score and its parts",
    fields: ["brier", "reliability", "resolution", "uncertainty", "within_bins", "base_rate"],
    says: [
      "`brier` = mean (price − o)² over all N forecasts. `base_rate` ō = mean o.",
      "`reliability` = Σ n (`mean_price` − `observed`)² / N, `resolution` = Σ n (`observed` − ō)² / N, `uncertainty` = mean o² − ō² (Murphy 1973).",
      "`within_bins` = `brier` − (`reliability` − `resolution` + `uncertainty`): what the spread within bins adds.",
    ],
  },
];
