import { sql, type Sql } from "../../definition/sql.ts";
import { withColumns, type Layer } from "./with-columns.ts";

/**
 * SQL over the columns of walletFiguresSql and `last_day`; the curve is the sum of the daily profits, from 0.
 * Without AND and OR: each takes the engine ten milliseconds or more to plan over so deep a query.
 */
const LAYERS: readonly Layer[] = [
  {
    curve: "arrayCumSum(daily.2)",
    downside: "if(empty(returns), 0, sqrt(arrayAvg(one -> pow(least(one, 0.), 2), returns)))",
    annual_return: "if(length(returns) >= 7, mean_return * 365, NULL)",
    most_capital: "if(empty(daily), 0, arrayMax(daily.3))",
    gain: "arraySum(one -> greatest(one, 0.), daily.2)",
    pain: "arraySum(one -> greatest(-one, 0.), daily.2)",
    last_fifth: "greatest(1, intDiv(span_days, 5))",
    lengths:
      "arrayMap((one, next) -> toInt32(next - one), daily.1, arrayPopFront(arrayPushBack(daily.1, last_day + 1)))",
  },
  { peaks: "arrayMap(at -> greatest(0., arrayMax(arraySlice(curve, 1, at))), arrayEnumerate(curve))" },
  {
    falls: "arrayMap((peak, now) -> if(peak - now > 1e-6, peak - now, 0), peaks, curve)",
    has_peak: "peaks[-1] > 0",
  },
  {
    depths: "arrayMap((peak, fallen) -> if(peak > 0, fallen / peak, 0), peaks, falls)",
    begun:
      "arrayFilter((at, now, before) -> (now > 0) > (before > 0), arrayEnumerate(falls), falls, arrayPopBack(arrayPushFront(falls, 0.)))",
  },
  {
    recoveries:
      "arrayMap(at -> toInt32(daily[at + arrayFirstIndex(one -> one = 0, arraySlice(falls, at)) - 1].1 - daily[at].1), arrayFilter(at -> arrayExists(one -> one = 0, arraySlice(falls, at)), begun))",
    straightness: "pow(arrayReduce('corr', arrayMap(one -> toFloat64(one), daily.1), curve), 2)",
    late_gain: "arraySum(one -> if(one.1 > last_day - last_fifth, one.2, 0), daily)",
  },
  {
    max_drawdown: "if(has_peak, arrayMax(depths), NULL)",
    ulcer_index: "if(has_peak, least(1000, sqrt(arrayAvg(one -> one * one, depths))), NULL)",
    drawdown_frequency:
      "if(empty(daily), NULL, arraySum((fallen, length) -> if(fallen > 0, length, 0), falls, lengths) / span_days)",
    recovery_days: "if(empty(recoveries), NULL, arrayAvg(recoveries))",
    gain_to_pain: "if(pain > 1e-6, least(100, (gain - pain) / pain), NULL)",
    sortino: "if(length(returns) < 2, NULL, if(downside > 1e-12, least(50, mean_return / downside * sqrt(365)), NULL))",
    calmar:
      "multiIf(max_drawdown_usd <= 1e-6, NULL, most_capital < 1, NULL, annual_return * most_capital > 100 * max_drawdown_usd, 100, annual_return * most_capital / max_drawdown_usd)",
    curve_volatility: "if(length(returns) >= 2, least(1000, return_sd), NULL)",
    curve_pattern:
      "multiIf(length(daily) < 3, NULL, if(curve[-1] > 0, late_gain > curve[-1] / 2, false), 'hockey-stick', straightness >= 0.8, 'steady', arrayMax(curve) - arrayMin(curve) < 1e-6, 'steady', 'volatile')",
  },
];

/** Wallets' figures (walletFiguresSql) with those of their curve of marked profit beside them; null where undefined. */
export const withCurveSql = (walletFigures: Sql, asOf: Sql): Sql =>
  withColumns(sql`(SELECT *, ${asOf} AS last_day FROM ${walletFigures})`, ...LAYERS);
