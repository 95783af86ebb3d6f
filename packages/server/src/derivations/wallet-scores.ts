import { defineDaysDerivation } from "../definition/day-derivation.ts";
import { bind, joined, sql, type Bound, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { walletEntries } from "../tables/wallet-entries.ts";
import { walletPatterns } from "../tables/wallet-patterns.ts";
import { walletScores } from "../tables/wallet-scores.ts";
import { walletTokenDays } from "../tables/wallet-token-days.ts";
import { PATTERN_DAYS, WINDOW_DAYS } from "./wallet-score/scored-span-sql.ts";
import { entriesByDay, scoresOfDays } from "./wallet-score/scores-of-days.ts";

/** Days of a table's rows, each with the days after it: `days` in total. */
const after = (table: TableDefinition, days: Bound, where: Sql): Sql =>
  sql`SELECT arrayJoin(arrayMap(more -> day + more, range(${days}))) AS day FROM (SELECT DISTINCT day FROM ${table} ${where})`;
const daysOf = (selects: readonly Sql[]): Sql =>
  sql`SELECT DISTINCT toString(day) AS day FROM (${joined(selects, sql` UNION ALL `)})`;

/** Entries, days and patterns of wallets → the scores of all wallets that have enough entries (see docs/score.md). */
export const walletScoresFromEntries = defineDaysDerivation({
  name: "wallet-scores",
  title: "Wallet scores",
  from: [walletEntries, walletDays, walletTokenDays],
  into: walletScores,
  after: ["wallet-entries", "wallet-patterns"],
  touched: ({ since, today }) => {
    const last = bind("UInt16", WINDOW_DAYS);
    const now = sql`SELECT toDate(${today}) AS day`;
    // Without entries there is no pool, so other tables do not matter.
    if (since === undefined) return daysOf([after(walletEntries, last, sql``), now]);
    const changed = sql`WHERE version >= ${since}`;
    return daysOf([
      after(walletEntries, last, changed),
      // A window's first profit starts from the value of the day before it.
      after(walletDays, bind("UInt16", WINDOW_DAYS + 1), changed),
      after(walletPatterns, bind("UInt16", PATTERN_DAYS), changed),
      now,
    ]);
  },
  sizes: entriesByDay,
  rowsOfSlice: scoresOfDays,
});
