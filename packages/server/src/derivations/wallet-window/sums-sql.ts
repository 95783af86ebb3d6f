import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { dayRowsSql } from "./day-rows-sql.ts";
import { firstDayOf, type WalletWindow } from "./wallet-window.ts";
import { withColumns } from "./with-columns.ts";

const SUMS = {
  buys: "d.buys",
  sells: "d.sells",
  trades: "d.buys + d.sells",
  maker_fills: "d.maker_fills",
  events: "d.buys + d.sells + d.other_events",
  wins: "d.wins",
  losses: "d.losses",
  invested_usd: "d.bought_usd",
  sold_usd: "d.sold_usd",
  maker_usd: "d.maker_usd",
  bought_usd_squared: "d.bought_usd_squared",
  fee_usd: "d.fee_usd",
  pnl_usd: "d.realized_usd - d.fee_usd",
  pnl_fifo_usd: "d.realized_fifo_usd - d.fee_usd",
  days_active: "toUInt32(d.buys + d.sells > 0)",
};

const sumsOf = (only?: readonly string[]): string[] =>
  Object.entries(SUMS)
    .filter(([name]) => only === undefined || only.includes(name))
    .map(([name, column]) => `sum(d.sign * (${column})) AS ${name}`);

const held =
  "arraySort(groupArray((d.day, toFloat64(d.realized_usd - d.fee_usd), toFloat64(d.open_value_usd - d.open_cost_usd), toFloat64(d.open_value_usd), toFloat64(greatest(d.bought_usd, -d.cash_usd)), d.sign, toFloat64(d.open_cost_usd - d.realized_usd + d.fee_usd + d.cash_usd - d.unmatched_usd))))";

/**
 * Days in order, each (day, profit marked to market, capital, sign), as statistics take them:
 * profit = realised − fees + (value − cost) held at the day's end − the same at the end of the day before;
 * capital = value held at the end of the day before + the larger of what was bought and what was paid net that day.
 * A day without a row had nothing unresolved to hold, so what it held is worth its cost, which the books of the next row
 * tell (see balanceSql): so a day's capital hangs on no row further back.
 */
const daily =
  "arrayFilter(one -> one.4 != 0, arrayMap((now, before, follows) -> (now.1, now.2 + now.3 - follows * before.3, if(follows, before.4, now.7) + now.5, now.6), held, befores, arrayMap((now, before) -> toUInt8(before.1 + 1 = now.1), held, befores)))";
const befores = "arrayPopBack(arrayPushFront(held, (toDate(0), 0., 0., 0., 0., toInt8(0), 0.)))";

/** Sums over a window, one row a wallet that has an event in it. */
export function sumsSql(window: WalletWindow): Sql {
  const { days, asOf } = window;
  const first = days === "all" ? sql`min(d.day)` : firstDayOf(window);
  const more = sql`, ${first} AS first_day, toUInt32(${asOf} - first_day + 1) AS span_days`;
  return signedSumsSql(dayRowsSql(window), false, { more, having: sql`HAVING events > 0` });
}

type Signed = { readonly only?: readonly string[]; readonly more?: Sql; readonly having?: Sql };

/** Sums over rows of wallet_days with a `sign` that each counts with, one row a wallet: all or `only` some; `more` are further columns. */
export function signedSumsSql(rows: Sql, hasDays: boolean, { only, more = sql``, having = sql`` }: Signed = {}): Sql {
  const list = fromDefinition([...sumsOf(only), ...(hasDays ? [`${held} AS held`] : [])].join(", "));
  const grouped = sql`(SELECT d.wallet AS wallet, ${list}${more} FROM ${rows} AS d GROUP BY d.wallet ${having})`;
  return hasDays
    ? sql`(SELECT * EXCEPT (held, befores) FROM ${withColumns(grouped, { befores }, { daily })})`
    : grouped;
}
