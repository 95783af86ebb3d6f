import { numberOfDay } from "../../definition/day-of.ts";
import { exactMicros, microsOf, type Micros } from "../../definition/micros.ts";
import { hexOf, idsSql } from "../../definition/filter.ts";
import type { ReadEngine } from "../../definition/read-engine.ts";
import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { dailySeries, type DayOfSeries } from "../wallet-figures/daily-series.ts";
import { WINDOW_DAYS } from "./eligible-sql.ts";
import { drawnEvents, eventsSql, profitsSql } from "./drawn-rows.ts";
import type { WalletSample } from "./wallet-sample.ts";

export type SampleOf = { readonly day: string; readonly wallet: string };

const WALLET_BYTES = 20;
const MONEY = {
  bought: "bought_usd",
  fee: "fee_usd",
  realized: "realized_usd",
  cash: "cash_usd",
  unmatchedUsd: "unmatched_usd",
  openCost: "open_cost_usd",
  openValue: "open_value_usd",
} as const;
const AMOUNTS = fromDefinition(Object.values(MONEY).join(", "));
const OWNER = { name: sql`concat(toString(as_of), ' ', ${hexOf(sql`wallet`)})`, by: sql`as_of, wallet` };

export const sampleName = ({ day, wallet }: SampleOf): string => `${day} ${wallet}`;

/**
 * Events and days of the fifteen days of some wallets that end with some days, by `sampleName`: as those are that scores
 * are made of, all in three statements however many days there are. Throws StoreError.
 */
export async function readDrawnSamples(
  asked: readonly SampleOf[],
  read: ReadEngine,
): Promise<ReadonlyMap<string, Pick<WalletSample, "events" | "days">>> {
  const days = [...new Set(asked.map(({ day }) => day))].sort();
  const these = idsSql([...new Set(asked.map(({ wallet }) => wallet))], WALLET_BYTES);
  const [first, last] = [bind("Date", days[0] ?? ""), bind("Date", days.at(-1) ?? "")];
  const length = bind("UInt16", WINDOW_DAYS);
  const own = sql`wallet IN (${these}) AND day <= ${last} AND NOT is_gone`;
  /** Each row once for every day that is asked for of whose window it is. */
  const windowed = (rows: Sql): Sql =>
    sql`(SELECT *, arrayJoin(arrayFilter(one -> one >= day AND one < day + ${length}, ${bind("Array(Date)", days)})) AS as_of FROM ${rows} FINAL WHERE ${own} AND day > ${first} - ${length})`;
  const tokenDays = windowed(sql`${walletTokenDays}`);
  const markets = sql`condition_id IN (SELECT condition_id FROM ${tokenDays})`;
  const told = sql`SELECT ${hexOf(sql`wallet`)} AS address, toUInt16(day) AS at, ${AMOUNTS} FROM ${copyOf(walletDays, "wallet_days_by_wallet")} FINAL WHERE ${own} AND day >= ${first} - ${length} ORDER BY wallet, day`;
  const [events, profits, rows] = await Promise.all([
    read.bytes(
      eventsSql(windowed(sql`${copyOf(walletEntries, "wallet_entries_by_wallet")}`), OWNER),
      "JSONCompactColumns",
    ),
    read.bytes(profitsSql(tokenDays, OWNER, markets), "JSONCompactColumns"),
    read.rows<DayRow>(told),
  ]);
  const daysOf = Map.groupBy(rows, ({ address }) => address);
  return new Map(
    [...drawnEvents(events, profits)].map(([owner, happened]) => {
      const [day = "", wallet = ""] = owner.split(" ");
      return [owner, { events: happened, days: seriesOf(daysOf.get(wallet) ?? [], numberOfDay(day)) }];
    }),
  );
}

type DayRow = Readonly<Record<(typeof MONEY)[keyof typeof MONEY] | "address", string>> & { readonly at: number };

/** The daily series of the window that ends with a day (since 1970). */
function seriesOf(rows: readonly DayRow[], last: number): WalletSample["days"] {
  const known = rows.filter(({ at }) => at <= last && at >= last - WINDOW_DAYS);
  return dailySeries(known.map(toDay), last - WINDOW_DAYS + 1);
}

const toDay = (row: DayRow): DayOfSeries => ({
  day: row.at,
  ...(Object.fromEntries(
    Object.entries(MONEY).map(([field, column]) => [field, exactMicros(microsOf(row[column]))]),
  ) as Record<keyof typeof MONEY, Micros>),
});
