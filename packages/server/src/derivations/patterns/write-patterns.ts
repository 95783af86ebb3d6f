import type { RowWriter } from "../../definition/row-writer.ts";
import type { Evidence } from "./evidence.ts";
import { PATTERNS, type Pattern, type LatestStates } from "./latest-states.ts";
import { scoreTies, type PatternState } from "./score-ties.ts";
import { soloPatterns } from "./solo-patterns.ts";
import { tiedPairs } from "./tied-pairs.ts";

const NOBODY = `0x${"0".repeat(40)}`;
const IS_CLEAR = 50;

/**
 * Rows of `wallet_patterns` of the wallets that traded on a day; earlier states that no longer hold are retracted with
 * a score of 0.
 */
export function writePatterns(
  row: RowWriter,
  day: number,
  traded: readonly number[],
  evidence: Evidence,
  latest: LatestStates,
): void {
  const { states, clear } = findStates(day, evidence);
  const rateOf = (pattern: Pattern): number =>
    Number(((clear.get(pattern) ?? 0) / Math.max(1, evidence.traders)).toFixed(6));
  const own = Map.groupBy(states, ({ wallet }) => wallet);
  for (const wallet of traded) {
    const before = latest.before(day, wallet);
    const now = own.size > 0 || before.length > 0 ? (own.get(evidence.idOf(wallet)) ?? []) : [];
    for (const state of now) {
      writeRow(row, day, state, rateOf(state.pattern));
      latest.note(day, wallet, state.pattern, true);
    }
    for (const pattern of before) {
      if (now.some((state) => state.pattern === pattern)) continue;
      const none = { score: 0, cluster: [], n: 0, share: 0, parts: {} };
      writeRow(row, day, { wallet: evidence.idOf(wallet), pattern, ...none }, rateOf(pattern));
      latest.note(day, wallet, pattern, false);
    }
  }
}

/** States of wallets that traded on the day, and the number of all wallets that show each pattern clearly. */
function findStates(day: number, evidence: Evidence) {
  const states: PatternState[] = [];
  const clear = new Map<Pattern, number>();
  const count = (pattern: Pattern, score: number): void => {
    if (score >= IS_CLEAR) clear.set(pattern, (clear.get(pattern) ?? 0) + 1);
  };
  const { pairs, habits } = tiedPairs(evidence);
  for (const state of scoreTies(pairs, habits)) {
    count(state.pattern, state.score);
    if (state.score > 0 && habits.get(state.wallet)?.last_day === day) states.push(state);
  }
  for (let wallet = 0; wallet < evidence.wallets.count; wallet += 1) {
    const habit = evidence.habit(wallet);
    if (habit === undefined) continue;
    for (const { pattern, score, report } of soloPatterns(habit)) {
      count(pattern, score);
      if (habit.lastDay === day)
        states.push({ wallet: evidence.idOf(wallet), pattern, score, cluster: [], ...report() });
    }
  }
  return { states, clear };
}

/** Writes the columns in the table's order. */
function writeRow(row: RowWriter, day: number, state: PatternState, baseRate: number): void {
  row.begin();
  row.day(day);
  row.hex(state.wallet);
  row.small(PATTERNS.indexOf(state.pattern) + 1);
  row.real(state.score);
  row.hex(state.cluster[0] ?? NOBODY);
  row.count(state.cluster.length);
  row.count(state.n);
  row.real(state.share);
  row.real(baseRate);
  row.text(JSON.stringify(state.parts));
  row.flag(false);
}
