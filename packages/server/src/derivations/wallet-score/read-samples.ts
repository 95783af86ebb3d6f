import type { ReadBytes } from "../../definition/day-derivation.ts";
import { type Bound, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { skillSums } from "./skill-sums.ts";
import type { ScoreEvent } from "./score-event.ts";
import type { WalletSample } from "./wallet-sample.ts";
import { hexOf, idsSql } from "../../definition/filter.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { dailySql } from "../wallet-window/sums-sql.ts";
import { inDays, PATTERN_DAYS, WINDOW_DAYS } from "./eligible-sql.ts";

const WALLET = fromDefinition("concat('0x', lower(hex(wallet))) AS address");
/** Columns of wallet_entries that are summed up over an event. */
const SUMMED = [
  "entries",
  "edge_sum",
  "cost_sum",
  "variance_sum",
  "clv_entries",
  "clv_sum",
  "later_entries",
  "later_sum",
  "later_edge_sum",
  "later_cost_sum",
  "later_variance_sum",
  "bought_usd",
  "shares",
] as const;
const SUMS = fromDefinition(SUMMED.map((column) => `sum(${column}) AS ${column}`).join(", "));
const EVENT = fromDefinition("cityHash64(if(event_slug = '', toString(condition_id), event_slug))");
const MARKET = sql`SELECT condition_id, category, ${EVENT} AS event_key FROM ${polymarketMarkets} FINAL`;

/** Whose sample a row is of: its name as an expression, and the columns that tell it. */
export type SampleOwner = { readonly name: Sql; readonly by: Sql };
const BY_WALLET: SampleOwner = { name: hexOf(sql`wallet`), by: sql`wallet` };

/** Sums of rows of wallet_entries by event. */
export const eventsSql = (entries: Sql, { name, by }: SampleOwner): Sql =>
  sql`SELECT ${name} AS address, toString(event_key) AS event, category, ${SUMS} FROM ${entries} GROUP BY ${by}, event_key, category ORDER BY ${by}, event_key, category`;

/** Profits of rows of wallet_token_days by market; `markets` is a condition on those that they may be of. */
export const profitsSql = (tokenDays: Sql, { name, by }: SampleOwner, markets = sql`1`): Sql =>
  sql`SELECT ${name} AS address, toString(coalesce(nullIf(m.event_key, 0), cityHash64(toString(condition_id)))) AS event, ifNull(m.category, '') AS category, profit
FROM (SELECT ${by}, condition_id, sum(realized_usd - fee_usd) AS profit FROM ${tokenDays} GROUP BY ${by}, condition_id) AS p LEFT JOIN (${MARKET} WHERE ${markets}) AS m USING (condition_id) ORDER BY ${by}, condition_id`;

/** What the samples of some wallets (0x-hex) are made of, each ordered by wallet, so that no sum hangs on the order of rows. */
const sampleSql = (day: Bound, wallets: readonly string[]): Record<"events" | "profits" | "days" | "patterns", Sql> => {
  const these = idsSql(wallets, 20);
  const asOf = sql`toDate(${day})`;
  // What sorting keys tell is asked first, so that of others no more than the key is read.
  const own = (table: TableDefinition, days: number): Sql =>
    sql`${table} FINAL PREWHERE ${inDays(days, day)} AND wallet IN (${these}) WHERE NOT is_gone`;
  return {
    events: eventsSql(own(walletEntries, WINDOW_DAYS), BY_WALLET),
    profits: profitsSql(own(walletTokenDays, WINDOW_DAYS), BY_WALLET),
    days: sql`SELECT ${WALLET}, arrayMap(one -> one.2, daily) AS profits, arrayMap(one -> one.3, daily) AS capitals FROM ${dailySql({ days: WINDOW_DAYS, asOf, among: these })} ORDER BY wallet`,
    patterns: sql`SELECT ${WALLET}, toString(pattern) AS pattern, argMax(score, day) AS score FROM ${own(walletPatterns, PATTERN_DAYS)} GROUP BY wallet, pattern ORDER BY wallet, pattern`,
  };
};

/** What samples are made of, as the engine printed it. */
export type SampleBytes = Readonly<Record<keyof ReturnType<typeof sampleSql>, Uint8Array>>;

/** Reads what some of a day's wallets (0x-hex, in the order of their addresses) did. Throws StoreError. */
export async function readSampleBytes(
  day: Bound,
  wallets: readonly string[],
  readBytes: ReadBytes,
): Promise<SampleBytes> {
  const { events, profits, days, patterns } = sampleSql(day, wallets);
  const read = (statement: typeof events): Promise<Uint8Array> => readBytes(statement, "JSONCompactColumns");
  return {
    events: await read(events),
    profits: await read(profits),
    days: await read(days),
    patterns: await read(patterns),
  };
}

/** The samples, in order of the wallets' addresses. */
export function toSamples(bytes: SampleBytes): WalletSample[] {
  const [wallets = [], keys = [], categories = [], ...sums] = columnsOf<[string[], string[], string[], ...number[][]]>(
    bytes.events,
  );
  const entries = Object.fromEntries(SUMMED.map((column, index) => [column, sums[index] ?? []] as const)) as Sums;
  const profits = profitsOf(bytes.profits);
  const [dayWallets = [], dayProfits = [], capitals = []] = columnsOf<[string[], number[][], number[][]]>(bytes.days);
  const daysOf = new Map(dayWallets.map((wallet, index) => [wallet, index]));
  const patterns = patternsOf(bytes.patterns);
  return runsOf(wallets).map(({ key: wallet, from, to }) => {
    const own = profits.get(wallet) ?? new Map<string, EventProfits>();
    const events: ScoreEvent[] = [];
    for (let row = from; row < to; row += 1) {
      const key = keyOf(keys[row], categories[row]);
      events.push(toEvent(entries, row, categories[row] ?? "", own.get(key)?.profits ?? []));
      own.delete(key);
    }
    // Those with profits alone come last, in the order of their rows.
    for (const other of own.values()) events.push(Object.assign({}, NOTHING, other));
    const days = daysOf.get(wallet) ?? -1;
    return {
      wallet,
      events,
      days: (dayProfits[days] ?? []).map((profit, index) => ({ profit, capital: capitals[days]?.[index] ?? 0 })),
      penalty: toPenalty(entries, from, to, patterns.get(wallet)),
    };
  });
}

type Sums = Readonly<Record<string, readonly number[]>>;
type EventProfits = { readonly category: string; readonly profits: number[] };

/** Without a row there are no columns. */
const columnsOf = <T extends unknown[]>(bytes: Uint8Array): Partial<T> =>
  JSON.parse(Buffer.from(bytes).toString("utf8")) as T;
const keyOf = (event: string | undefined, category: string | undefined): string => `${event} ${category}`;

/** Where each of the values that follow each other begins and ends. */
function runsOf(values: readonly string[]): { key: string; from: number; to: number }[] {
  const runs: { key: string; from: number; to: number }[] = [];
  for (const [row, key] of values.entries()) {
    const last = runs.at(-1);
    if (last?.key === key) last.to = row + 1;
    else runs.push({ key, from: row, to: row + 1 });
  }
  return runs;
}

/** By wallet and event: profits of its markets. */
function profitsOf(bytes: Uint8Array): Map<string, Map<string, EventProfits>> {
  const [wallets = [], events = [], categories = [], profits = []] =
    columnsOf<[string[], string[], string[], number[]]>(bytes);
  const found = new Map<string, Map<string, EventProfits>>();
  for (const { key: wallet, from, to } of runsOf(wallets)) {
    const own = new Map<string, EventProfits>();
    for (let row = from; row < to; row += 1) {
      const [key, category, profit] = [keyOf(events[row], categories[row]), categories[row] ?? "", profits[row] ?? 0];
      const known = own.get(key);
      if (known) known.profits.push(profit);
      else own.set(key, { category, profits: [profit] });
    }
    found.set(wallet, own);
  }
  return found;
}

function patternsOf(bytes: Uint8Array): Map<string, Map<string, number>> {
  const [wallets = [], patterns = [], scores = []] = columnsOf<[string[], string[], number[]]>(bytes);
  const found = new Map<string, Map<string, number>>();
  for (const { key, from, to } of runsOf(wallets)) {
    const rows = Array.from({ length: to - from }, (_, index) => from + index);
    found.set(key, new Map(rows.map((row) => [patterns[row] ?? "", scores[row] ?? 0])));
  }
  return found;
}

const NOTHING = { entries: 0, edgeSum: 0, varianceSum: 0, skillSum: 0, weight: 0, spread: 0, clvEntries: 0, clvSum: 0 };

function toEvent(sums: Sums, row: number, category: string, profits: readonly number[]): ScoreEvent {
  const of = (column: (typeof SUMMED)[number]): number => sums[column]?.[row] ?? 0;
  return {
    category,
    entries: of("entries"),
    edgeSum: of("edge_sum"),
    varianceSum: of("variance_sum"),
    ...skillSums({
      entries: of("entries"),
      edgeSum: of("edge_sum"),
      costSum: of("cost_sum"),
      varianceSum: of("variance_sum"),
      laterEntries: of("later_entries"),
      laterSum: of("later_sum"),
      laterEdgeSum: of("later_edge_sum"),
      laterCostSum: of("later_cost_sum"),
      laterVarianceSum: of("later_variance_sum"),
    }),
    clvEntries: of("clv_entries"),
    clvSum: of("clv_sum"),
    profits,
  };
}

function toPenalty(
  sums: Sums,
  from: number,
  to: number,
  patterns: ReadonlyMap<string, number> = new Map(),
): WalletSample["penalty"] {
  let bought = 0;
  let shares = 0;
  for (let row = from; row < to; row += 1) {
    bought += sums["bought_usd"]?.[row] ?? 0;
    shares += sums["shares"]?.[row] ?? 0;
  }
  return {
    wash: patterns.get("wash") ?? 0,
    sybil: patterns.get("sybil") ?? 0,
    farmer: patterns.get("farmer") ?? 0,
    bothSides: patterns.get("both_sides") ?? 0,
    averageEntry: shares > 0 ? bought / shares : null,
  };
}
