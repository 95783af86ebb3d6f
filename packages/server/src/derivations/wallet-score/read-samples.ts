import type { ReadRows } from "../../definition/day-derivation.ts";
import type { Bound } from "../../definition/sql.ts";
import { sampleSql } from "./sample-sql.ts";
import type { ScoreEvent } from "./score-event.ts";
import { skillSums } from "./skill-sums.ts";
import type { WalletSample } from "./wallet-sample.ts";

type Row = Readonly<Record<string, string>> & { readonly address: string };
type DaysRow = { readonly address: string; readonly profits: number[]; readonly capitals: number[] };
type PatternRow = { readonly address: string; readonly pattern: string; readonly score: number };

/** The samples of some of a day's wallets (0x-hex), in order of their addresses. */
export async function readSamples(day: Bound, wallets: readonly string[], read: ReadRows): Promise<WalletSample[]> {
  const statements = sampleSql(day, wallets);
  const events = byWallet(await read<Row>(statements.events));
  const profits = byWallet(await read<Row>(statements.profits));
  const days = new Map((await read<DaysRow>(statements.days)).map((row) => [row.address, row]));
  const patterns = byWallet(await read<PatternRow>(statements.patterns));
  return [...events].map(([wallet, rows]) => ({
    wallet,
    events: toEvents(rows, profits.get(wallet) ?? []),
    days: toDays(days.get(wallet)),
    penalty: toPenalty(rows, patterns.get(wallet) ?? []),
  }));
}

function byWallet<T extends { readonly address: string }>(rows: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const own = found.get(row.address);
    if (own) own.push(row);
    else found.set(row.address, [row]);
  }
  return found;
}

const number = (row: Row, column: string): number => Number(row[column]);
const keyOf = (row: Row): string => `${row["event"]} ${row["category"]}`;

/** Events with entries first, then those with profits alone, each in the order of their rows. */
function toEvents(rows: readonly Row[], profitRows: readonly Row[]): ScoreEvent[] {
  const profits = new Map<string, { category: string; profits: number[] }>();
  for (const row of profitRows) {
    const known = profits.get(keyOf(row));
    if (known) known.profits.push(number(row, "profit"));
    else profits.set(keyOf(row), { category: String(row["category"]), profits: [number(row, "profit")] });
  }
  const events = rows.map((row) => {
    const own = profits.get(keyOf(row))?.profits ?? [];
    profits.delete(keyOf(row));
    return toEvent(row, own);
  });
  const others = [...profits].map(([key, one]): ScoreEvent => Object.assign({ key }, NOTHING, one));
  return [...events, ...others];
}

const NOTHING = { entries: 0, edgeSum: 0, varianceSum: 0, skillSum: 0, weight: 0, spread: 0, clvEntries: 0, clvSum: 0 };

function toEvent(row: Row, profits: readonly number[]): ScoreEvent {
  const sums = {
    entries: number(row, "entries"),
    edgeSum: number(row, "edge_sum"),
    costSum: number(row, "cost_sum"),
    varianceSum: number(row, "variance_sum"),
    laterEntries: number(row, "later_entries"),
    laterSum: number(row, "later_sum"),
    laterEdgeSum: number(row, "later_edge_sum"),
    laterCostSum: number(row, "later_cost_sum"),
    laterVarianceSum: number(row, "later_variance_sum"),
  };
  return {
    key: keyOf(row),
    category: String(row["category"]),
    entries: sums.entries,
    edgeSum: sums.edgeSum,
    varianceSum: sums.varianceSum,
    ...skillSums(sums),
    clvEntries: number(row, "clv_entries"),
    clvSum: number(row, "clv_sum"),
    profits,
  };
}

function toDays(row: DaysRow | undefined): WalletSample["days"] {
  return (row?.profits ?? []).map((profit, index) => ({ profit, capital: row?.capitals[index] ?? 0 }));
}

function toPenalty(rows: readonly Row[], patterns: readonly PatternRow[]): WalletSample["penalty"] {
  let bought = 0;
  let shares = 0;
  for (const row of rows) {
    bought += number(row, "bought_usd");
    shares += number(row, "shares");
  }
  const score = (pattern: string): number => Number(patterns.find((one) => one.pattern === pattern)?.score ?? 0);
  return {
    wash: score("wash"),
    sybil: score("sybil"),
    farmer: score("farmer"),
    bothSides: score("both_sides"),
    averageEntry: shares > 0 ? bought / shares : null,
  };
}
