import { hexOf, idsSql } from "../../definition/filter.ts";
import { bind, sql, type Bound, type Sql, fromDefinition } from "../../definition/sql.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import type { ReadBytes } from "../../definition/day-derivation.ts";
import { copyOf, type TableDefinition } from "../../definition/table.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { EVENT_KEY } from "../market-facts-sql.ts";
import { SUMMED } from "./summed-columns.ts";

/** Wallets with fewer independent fills (entries) in the window are not ranked. */
export const MIN_ENTRIES = 20;
export const WINDOW_DAYS = 15;
/** Days for which a pattern stays valid, from the one it was found on. */
export const PATTERN_DAYS = 30;

/** Days (YYYY-MM-DD) whose scores are computed from the same rows, both inclusive. */
export type ScoredSpan = { readonly first: string; readonly last: string };

/** Condition for rows of wallets' days within a number of days that end with a day of a span. */
export const inDays = (days: number, { first, last }: ScoredSpan): Sql =>
  sql`day > ${dateOf(first)} - ${bind("UInt16", days)} AND day <= ${dateOf(last)}`;

const dateOf = (day: string): Bound => bind("Date", day);

/**
 * The wallets with enough entries, as 0x-hex in the order of their addresses; for a span of several days those that may
 * have enough on one of them.
 */
export const eligibleSql = (span: ScoredSpan): Sql =>
  sql`SELECT ${hexOf(sql`wallet`)} AS address FROM ${walletEntries} FINAL WHERE ${inDays(WINDOW_DAYS, span)} AND NOT is_gone GROUP BY wallet HAVING sum(entries) >= ${bind("UInt32", MIN_ENTRIES)} ORDER BY wallet`;

const WALLET_BYTES = 20;
const ENTRIES = fromDefinition(SUMMED.join(", "));
const DAYS = fromDefinition(
  [
    "realized_usd - fee_usd",
    "open_value_usd - open_cost_usd",
    "open_value_usd",
    "greatest(bought_usd, -cash_usd)",
    "open_cost_usd - realized_usd + fee_usd + cash_usd - unmatched_usd",
  ]
    .map((amount) => `toFloat64(${amount})`)
    .join(", "),
);
/** Catalogue columns joined with profits. */
const MARKETS = sql`SELECT condition_id, category, ${EVENT_KEY} AS event_key FROM ${polymarketMarkets} FINAL`;
/** A market missing from the catalogue is an event of its own. */
const EVENT_OF_PROFIT = fromDefinition("coalesce(nullIf(m.event_key, 0), cityHash64(toString(condition_id)))");

/** Inputs of wallets' samples, row by row in the engine's RowBinary; see `packSlice`. */
export type SliceBytes = Readonly<Record<"entries" | "profits" | "days" | "patterns", Uint8Array>>;

/**
 * Rows of some wallets (0x-hex, in the order of their addresses) that any day of a span reads, in the order in which a
 * window sums them. For a few wallets rows are looked up by wallet, concurrently, and only their markets in the
 * catalogue; patterns are omitted, because bounds are drawn from the stored penalty. Throws StoreError.
 */
export async function readSlice(
  span: ScoredSpan,
  wallets: readonly string[],
  readBytes: ReadBytes,
  isFew = false,
): Promise<SliceBytes> {
  const these = idsSql(wallets, WALLET_BYTES);
  // Filtered by the sorting key first, so that only the key is read for other rows.
  const own = (table: TableDefinition | ReturnType<typeof copyOf>, days: number): Sql =>
    sql`${table} FINAL PREWHERE ${inDays(days, span)} AND wallet IN (${these}) WHERE NOT is_gone`;
  const read = (statement: Sql): Promise<Uint8Array> => readBytes(statement, "RowBinary");
  const tokenDays = sql`SELECT wallet, day, condition_id, realized_usd - fee_usd AS profit FROM ${own(walletTokenDays, WINDOW_DAYS)}`;
  const entries = isFew ? copyOf(walletEntries, "wallet_entries_by_wallet") : walletEntries;
  const markets = isFew ? sql`${MARKETS} WHERE condition_id IN (SELECT condition_id FROM (${tokenDays}))` : MARKETS;
  const readEntries = (): Promise<Uint8Array> =>
    read(
      sql`SELECT wallet, day, event_key, category, ${ENTRIES} FROM ${own(entries, WINDOW_DAYS)} ORDER BY wallet, event_key, category`,
    );
  const readProfits = (): Promise<Uint8Array> =>
    read(
      sql`SELECT wallet, day, ${EVENT_OF_PROFIT}, ifNull(m.category, ''), condition_id, profit FROM (${tokenDays}) AS p LEFT JOIN (${markets}) AS m USING (condition_id) ORDER BY wallet, condition_id`,
    );
  // A window's first profit starts from the value of the day before it.
  const readDays = (): Promise<Uint8Array> =>
    read(
      sql`SELECT wallet, day, ${DAYS} FROM ${own(copyOf(walletDays, "wallet_days_by_wallet"), WINDOW_DAYS + 1)} ORDER BY wallet, day`,
    );
  if (isFew) {
    const [ofEntries, profits, days] = await Promise.all([readEntries(), readProfits(), readDays()]);
    return { entries: ofEntries, profits, days, patterns: new Uint8Array() };
  }
  return {
    entries: await readEntries(),
    profits: await readProfits(),
    days: await readDays(),
    patterns: await read(
      sql`SELECT wallet, day, pattern, score FROM ${own(walletPatterns, PATTERN_DAYS)} ORDER BY wallet, day`,
    ),
  };
}
