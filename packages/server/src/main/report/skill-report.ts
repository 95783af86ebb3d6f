import { dayAfter } from "../../definition/day-of.ts";
import type { ReadRows } from "../../definition/day-derivation.ts";
import type { Day } from "../../definition/fold.ts";
import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { windowSumsSql } from "../../derivations/wallet-window/board-sums-sql.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { spearman } from "./spearman.ts";
import { textTable } from "../../cli/text-table.ts";
import { walletDays } from "../../tables/wallet-days.ts";

const figure = (value: number | null | undefined): string =>
  value === null || value === undefined ? "-" : value.toFixed(3);

/** The report as text: the mean over the days, each day, and the failures. */
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

/** Days on which a baseline predicted the future ranking better than the score did. */
function failedDays(days: readonly SkillDay[]): string {
  const failed = days.filter(({ results }) => {
    const [score, ...baselines] = results.slice(0, 4).map((one) => one.spearman_roi ?? -1);
    return baselines.some((one) => one > (score ?? -1));
  });
  return `${failed.length} of ${days.length} days`;
}

const PAST_DAYS = 15;
const FUTURE_DAYS = 14;
const TOP = 25;
const MIN_TRADES = 5;
/** The score, its baselines, and its components. */
export const RANKINGS = ["score", "pnl", "win_rate", "roi", "skill", "profit", "risk", "timing", "breadth"] as const;
type Ranking = (typeof RANKINGS)[number];

export type RankingResult = {
  readonly ranking: Ranking;
  readonly spearman_roi: number | null;
  readonly spearman_pnl: number | null;
  /** Share of the 25 top-ranked wallets that made a profit in the following days. */
  readonly precision_25: number | null;
};
export type SkillDay = {
  readonly day: string;
  readonly pool: number;
  /** Wallets of the pool that traded in the following days: only these are judged. */
  readonly judged: number;
  /** Share of the judged wallets that made a profit: the precision without any ranking. */
  readonly base_rate: number | null;
  readonly results: readonly RankingResult[];
  /** Of the 25 top-ranked by score, those that lost most in the following days. */
  readonly failures: readonly { readonly wallet: string; readonly score: number; readonly pnl_usd: number }[];
};

type Row = Readonly<Record<Ranking, number>> & {
  readonly wallet: string;
  readonly future_pnl: number;
  readonly future_roi: number;
  readonly future_trades: number;
};

/**
 * How well a day's score, and plain figures of the same fifteen days, rank what wallets earned in the following
 * fourteen days. Days are a week apart, as long as the fourteen days after them have ended by `today`.
 */
export async function skillReport(read: ReadRows, scored: ScoredDays | undefined, today: Day): Promise<SkillDay[]> {
  const found: SkillDay[] = [];
  if (scored === undefined) return found;
  const ends = [scored.last, dayAfter(scored.traded, -FUTURE_DAYS), dayAfter(today, -FUTURE_DAYS - 1)];
  const last = ends.toSorted()[0] ?? scored.last;
  for (let day = dayAfter(scored.first, PAST_DAYS - 1); day <= last; day = dayAfter(day, 7))
    found.push(await judgeDay(day, read));
  return found;
}

async function judgeDay(day: string, read: ReadRows): Promise<SkillDay> {
  const rows = await read<Row>(pairsSql(bind("Date", day), bind("Date", dayAfter(day, FUTURE_DAYS))));
  const judged = rows.filter((row) => row.future_trades >= MIN_TRADES);
  const top = (ranking: Ranking) => judged.toSorted((a, b) => b[ranking] - a[ranking]).slice(0, TOP);
  const results = RANKINGS.map((ranking) => ({
    ranking,
    spearman_roi: spearman(
      judged.map((row) => row[ranking]),
      judged.map((row) => row.future_roi),
    ),
    spearman_pnl: spearman(
      judged.map((row) => row[ranking]),
      judged.map((row) => row.future_pnl),
    ),
    precision_25: profitable(top(ranking)),
  }));
  const failures = top("score")
    .filter((row) => row.future_pnl < 0)
    .sort((a, b) => a.future_pnl - b.future_pnl)
    .slice(0, 3)
    .map(({ wallet, score, future_pnl: pnl }) => ({ wallet, score, pnl_usd: pnl }));
  return { day, pool: rows.length, judged: judged.length, base_rate: profitable(judged), results, failures };
}

const profitable = (rows: readonly Row[]): number | null =>
  rows.length === 0 ? null : rows.filter((row) => row.future_pnl > 0).length / rows.length;

const roi = (of: Sql): Sql =>
  sql`toFloat64(coalesce(toDecimal128(${of}.pnl_usd, 12) / nullIf(${of}.invested_usd, 0), 0))`;

/**
 * The pool of a day with its figures at that time, and what each wallet earned afterwards. Undefined figures rank in
 * the middle.
 */
function pairsSql(day: Bound, end: Bound) {
  const scores = sql`(SELECT * FROM ${walletScores} FINAL WHERE day = ${day} AND category = '' AND NOT is_gone)`;
  const past = windowSumsSql({ days: PAST_DAYS, asOf: sql`toDate(${day})` });
  const future = windowSumsSql({ days: FUTURE_DAYS, asOf: sql`toDate(${end})` });
  return sql`SELECT concat('0x', lower(hex(s.wallet))) AS wallet, s.score AS score, toFloat64(p.pnl_usd) AS pnl, coalesce(toDecimal128(p.wins, 12) / nullIf(p.wins + p.losses, 0), 0.5) AS win_rate, ${roi(sql`p`)} AS roi,
  s.skill_pct AS skill, s.profit_pct AS profit, s.risk_pct AS risk, s.timing_pct AS timing, s.breadth_pct AS breadth,
  toFloat64(f.pnl_usd) AS future_pnl, ${roi(sql`f`)} AS future_roi, toUInt32(f.buys + f.sells) AS future_trades
FROM ${scores} AS s LEFT JOIN ${past} AS p USING (wallet) LEFT JOIN ${future} AS f USING (wallet) ORDER BY s.wallet`;
}

/** UTC days: the first and last with scores, and the last with any fill. */
type ScoredDays = { readonly first: string; readonly last: string; readonly traded: string };

/** The range of days with wallet scores; undefined if there are none. */
export async function scoredDays(read: ReadRows): Promise<ScoredDays | undefined> {
  const [range] = await read<ScoredDays & { readonly n: string }>(
    sql`SELECT toString(count()) AS n, toString(min(day)) AS first, toString(max(day)) AS last, (SELECT toString(maxIf(day, buys + sells > 0)) FROM ${walletDays}) AS traded FROM ${walletScores} WHERE NOT is_gone`,
  );
  if (range === undefined || range.n === "0") return undefined;
  const { first, last, traded } = range;
  return { first, last, traded };
}
