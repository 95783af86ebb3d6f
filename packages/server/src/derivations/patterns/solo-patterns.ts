import type { Habit } from "./evidence.ts";
import { PATTERN } from "./pattern-constants.ts";
import type { PatternState } from "./score-ties.ts";

const MICRO = 1e6;
const MIN_SCORE = 0.5;
const round = (value: number): number => Number(value.toFixed(4));

/** Inputs of the scores; undefined for a wallet without a notable pattern. */
function scoresOf(habit: Habit) {
  const { farmer, bothSides } = PATTERN;
  const { fills, sets, quoted, twoSided } = habit;
  const usd = Number(habit.usd) / MICRO;
  if (usd <= 0) return undefined;
  const [bought, paid] = [Number(habit.boughtShares) / MICRO, Number(habit.boughtUsd) / MICRO];
  const entry = bought > 0 ? paid / bought : 0;
  const makerShare = habit.makerFills / fills;
  const sure = entry >= farmer.surePrice ? 100 * Math.min(1, fills / farmer.sureFills) : 0;
  const turnover =
    sets >= farmer.setEvents
      ? 100 *
        Math.min(1, sets / fills / farmer.setShare) *
        Math.min(1, makerShare / farmer.makerShare) *
        Math.min(1, (farmer.smallUsd * fills) / usd)
      : 0;
  const both =
    quoted >= bothSides.quoted && makerShare >= bothSides.makerShare
      ? 100 * Math.min(1, twoSided / Math.max(1, quoted) / bothSides.twoSided)
      : 0;
  if (Math.max(sure, turnover, both) < MIN_SCORE) return undefined;
  return { usd, paid, entry, makerShare, sure, turnover, both };
}

export type SoloScore = {
  readonly pattern: "farmer" | "both_sides";
  readonly score: number;
  readonly report: () => Reported;
};
type Reported = Pick<PatternState, "n" | "share" | "parts">;

/**
 * Scores of a wallet that buys near-certain outcomes, cycles sets in small trades, or quotes both sides. Constant
 * quoting of both sides also cycles sets, so the farmer's score is reduced by that of the maker.
 */
export function soloPatterns(habit: Habit): SoloScore[] {
  const scores = scoresOf(habit);
  if (scores === undefined) return [];
  const { usd, paid, entry, makerShare, sure, both } = scores;
  const turnover = scores.turnover * (1 - both / 100);
  const farmer = (): Reported => ({
    n: habit.fills,
    share: round(paid > 0 ? Number(habit.sureUsd) / MICRO / paid : 0),
    parts: {
      by_sure_entries: sure >= turnover,
      average_entry: round(entry),
      set_events: habit.sets,
      maker_share: round(makerShare),
      average_usd: round(usd / habit.fills),
    },
  });
  const bothSides = (): Reported => ({
    n: habit.quoted,
    share: round(habit.twoSided / Math.max(1, habit.quoted)),
    parts: { quoted: habit.quoted, two_sided: habit.twoSided, maker_share: round(makerShare) },
  });
  const all: SoloScore[] = [
    { pattern: "farmer", score: Number(Math.max(sure, turnover).toFixed(2)), report: farmer },
    { pattern: "both_sides", score: Number(both.toFixed(2)), report: bothSides },
  ];
  return all.filter(({ score }) => score >= MIN_SCORE);
}
