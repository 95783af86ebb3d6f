import { textTable } from "../../cli/text-table.ts";
import type { ScoredDays } from "./scored-days.ts";
import { RANKINGS, type SkillDay } from "./skill-report.ts";

const figure = (value: number | null | undefined): string =>
  value === null || value === undefined ? "-" : value.toFixed(3);

/** The report for people: the mean over the days, each day, and what went wrong. */
export function skillText(days: readonly SkillDay[], scored: ScoredDays | undefined): string {
  if (scored === undefined) return "No wallet is scored yet: the service does it hourly, `almanac derive` at once.";
  if (days.length === 0)
    return `No day can be judged yet: it needs fifteen days of scores up to it, and fourteen days of trading after it that are over. Scores are of ${scored.first} to ${scored.last}; the last trade is of ${scored.traded}.`;
  const heading = ["RANKED BY", "SPEARMAN ROI", "SPEARMAN PNL", "PRECISION@25", "WORSE THAN A BASELINE ON"];
  const table = RANKINGS.map((ranking, place) => {
    const own = days.map((day) => day.results[place]);
    const mean = (of: (one: (typeof own)[number]) => number | null | undefined) => meanOf(own.map(of));
    return [
      ranking,
      figure(mean((one) => one?.spearman_roi)),
      figure(mean((one) => one?.spearman_pnl)),
      figure(mean((one) => one?.precision_25)),
      ranking === "score" ? failedDays(days) : "",
    ];
  });
  const each = days.map(({ day, pool, judged, base_rate: base, results }) => [
    day,
    String(pool),
    String(judged),
    figure(base),
    ...results.slice(0, 4).map((one) => `${figure(one.spearman_roi)} / ${figure(one.precision_25)}`),
  ]);
  const failures = days.flatMap(({ day, failures: some }) =>
    some.map((one) => [day, one.wallet, one.score.toFixed(1), one.pnl_usd.toFixed(2)]),
  );
  return [
    `Ranked on a day, judged by the 14 days after; mean of ${days.length} days`,
    textTable(heading, table),
    "",
    "Each day: Spearman with ROI / precision@25",
    textTable(["DAY", "POOL", "JUDGED", "BASE RATE", "SCORE", "PNL", "WIN RATE", "ROI"], each),
    "",
    "Of the 25 with the best scores, those that lost most",
    textTable(["DAY", "WALLET", "SCORE", "PNL AFTER"], failures),
  ].join("\n");
}

function meanOf(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((one): one is number => one !== null && one !== undefined);
  let sum = 0;
  for (const value of known) sum += value;
  return known.length === 0 ? null : sum / known.length;
}

/** Days on which a baseline ranked the future better than the score did. */
function failedDays(days: readonly SkillDay[]): string {
  const failed = days.filter(({ results }) => {
    const [score, ...baselines] = results.slice(0, 4).map((one) => one.spearman_roi ?? -1);
    return baselines.some((one) => one > (score ?? -1));
  });
  return `${failed.length} of ${days.length} days`;
}
