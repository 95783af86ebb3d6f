import { defineDayDerivation, type ReadRows } from "../definition/day-derivation.ts";
import { bind, joined, sql, type Bound, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { walletEntries } from "../tables/wallet-entries.ts";
import { walletPatterns } from "../tables/wallet-patterns.ts";
import { walletScores } from "../tables/wallet-scores.ts";
import { walletTokenDays } from "../tables/wallet-token-days.ts";
import { eligibleSql, PATTERN_DAYS, WINDOW_DAYS, type WalletSlice } from "./wallet-score/eligible-sql.ts";
import { createPoolGatherer, rankedIn } from "./wallet-score/gather-pools.ts";
import { readSamples } from "./wallet-score/read-samples.ts";
import { toScoreRow } from "./wallet-score/to-score-row.ts";
import type { WalletSample } from "./wallet-score/wallet-sample.ts";

/** So many wallets are read at once; more are read slice by slice, twice. */
const WALLETS_AT_ONCE = 10_000;
const BYTES = 256;
const WHOLE: WalletSlice = { from: 0, to: BYTES };

async function sliceUp(day: Bound, read: ReadRows): Promise<WalletSlice[]> {
  const [row] = await read<{ wallets: string }>(
    sql`SELECT toString(count()) AS wallets FROM (${eligibleSql(day, WHOLE)})`,
  );
  const slices = Math.min(BYTES, Math.max(1, 2 ** Math.ceil(Math.log2(Number(row?.wallets ?? 0) / WALLETS_AT_ONCE))));
  const size = BYTES / slices;
  return Array.from({ length: slices }, (_, index) => ({ from: index * size, to: (index + 1) * size }));
}

async function* score(day: Bound, read: ReadRows): AsyncGenerator<readonly InsertRow[]> {
  const slices = await sliceUp(day, read);
  const gatherer = createPoolGatherer();
  let kept: readonly WalletSample[] = [];
  for (const slice of slices) {
    kept = await readSamples(day, slice, read);
    for (const sample of kept) gatherer.add(sample);
  }
  const pools = gatherer.close();
  for (const slice of slices) {
    const samples = slices.length === 1 ? kept : await readSamples(day, slice, read);
    yield samples.flatMap((sample) =>
      rankedIn(sample).map((ranked) => toScoreRow(sample, ranked, pools, String(day.value))),
    );
  }
}

/** Days of a table's rows, each with those after it: so many in all. */
const after = (table: TableDefinition, days: Bound, where: Sql): Sql =>
  sql`SELECT arrayJoin(arrayMap(more -> day + more, range(${days}))) AS day FROM (SELECT DISTINCT day FROM ${table} ${where})`;
const daysOf = (selects: readonly Sql[]): Sql =>
  sql`SELECT DISTINCT toString(day) AS day FROM (${joined(selects, sql` UNION ALL `)})`;

/** Entries, days and patterns of wallets → the scores of all wallets that have enough entries (see docs/score.md). */
export const walletScoresFromEntries = defineDayDerivation({
  name: "wallet-scores",
  title: "Scores of wallets",
  from: [walletEntries, walletDays, walletTokenDays],
  into: walletScores,
  after: ["wallet-entries", "wallet-patterns"],
  touched: ({ since, today }) => {
    const last = bind("UInt16", WINDOW_DAYS);
    const now = sql`SELECT toDate(${today}) AS day`;
    // Without entries there is no pool, whatever else there is.
    if (since === undefined) return daysOf([after(walletEntries, last, sql``), now]);
    const changed = sql`WHERE version >= ${since}`;
    return daysOf([
      after(walletEntries, last, changed),
      after(walletDays, last, changed),
      after(walletPatterns, bind("UInt16", PATTERN_DAYS), changed),
      now,
    ]);
  },
  rows: score,
});
