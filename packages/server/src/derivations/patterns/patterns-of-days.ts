import { setImmediate as breathe } from "node:timers/promises";
import { numberOfDay } from "../../definition/day-of.ts";
import type { ReadBytes } from "../../definition/day-derivation.ts";
import type { Slice } from "../../definition/derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { RowWriter } from "../../definition/row-writer.ts";
import type { Bound, Sql } from "../../definition/sql.ts";
import { DayRows } from "./day-rows.ts";
import { Evidence } from "./evidence.ts";
import { HABIT, habitsSql, PAIR, pairsSql, STATE, statesSql } from "./evidence-sql.ts";
import { PATTERN } from "./pattern-constants.ts";
import { BINARY, ROWS_AT_ONCE } from "./rows-by-day.ts";
import { LatestStates } from "./latest-states.ts";
import { writePatterns } from "./write-patterns.ts";

/**
 * The rows of `wallet_patterns` of some days. A day's evidence is added when the window reaches it and subtracted when
 * the window leaves it: habits are read twice so that no window of them stays in memory; pairs that may be ties are
 * few.
 */
export async function* patternsOfDays(
  days: Bound,
  { first, last }: Slice,
  readBytes: ReadBytes,
): AsyncGenerator<PackedRows> {
  const made = new Set((days.value as readonly string[]).map(numberOfDay));
  const [from, to] = [numberOfDay(first) - PATTERN.days + 1, numberOfDay(last)];
  const rows = (width: number, through: number, statement: (from: number, to: number) => Sql): DayRows =>
    new DayRows(width, through, (begin, end) => readBytes(statement(begin, end), BINARY));
  const gone = to - PATTERN.days;
  const habits = { come: rows(HABIT.width, to, habitsSql), gone: rows(HABIT.width, gone, habitsSql) };
  const met = await readBytes(pairsSql(from, to), BINARY);
  const metByDay = (): DayRows => new DayRows(PAIR.width, to, () => Promise.resolve(met), to - from + 1);
  const pairs = { come: metByDay(), gone: metByDay() };
  const states = rows(STATE.width, to, (begin, end) => statesSql(begin, end, days));
  const [evidence, latest] = [new Evidence(), new LatestStates()];
  let row = new RowWriter();
  for (let day = from; day <= to; day += 1) {
    const traded = evidence.changeHabits(await habits.come.of(day), true);
    evidence.changePairs(await pairs.come.of(day), true);
    if (day - PATTERN.days >= from) {
      evidence.changeHabits(await habits.gone.of(day - PATTERN.days), false);
      evidence.changePairs(await pairs.gone.of(day - PATTERN.days), false);
    }
    latest.noteRows(await states.of(day), evidence.wallets);
    if (made.has(day)) writePatterns(row, day, traded, evidence, latest);
    // Yields, because the process also serves requests.
    await breathe();
    if (row.written < ROWS_AT_ONCE) continue;
    yield row.packed();
    row = new RowWriter();
  }
  if (row.written > 0) yield row.packed();
}
