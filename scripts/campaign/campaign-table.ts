import { markdownTable } from "../bench/markdown-table.ts";
import type { RunResult, StreamResult } from "./run-result.ts";

export type CampaignTotals = {
  readonly runs: number;
  readonly failed: readonly number[];
  /** Seeds whose service had not caught up completely at the end. */
  readonly unsettled: readonly number[];
  readonly injected: Readonly<
    Record<string, { readonly planned: number; readonly struck: number; readonly times: number }>
  >;
  readonly kills: Readonly<Record<string, number>>;
  readonly streams: Readonly<Record<string, Omit<StreamResult, "stream" | "examples">>>;
  readonly problems: number;
  readonly seconds: number;
};

const FIGURES = [
  "truth",
  "stored",
  "lost",
  "doubled",
  "wrong",
  "admitted",
  "undeclared",
  "overAdmittedSeconds",
] as const;

/** Totals over all runs. */
export function addUp(results: readonly RunResult[]): CampaignTotals {
  const injected: Record<string, { planned: number; struck: number; times: number }> = {};
  const kills: Record<string, number> = {};
  const streams: Record<string, Record<(typeof FIGURES)[number], number>> = {};
  for (const result of results) {
    for (const [kind, { planned, struck }] of Object.entries(result.strikes)) {
      const sum = (injected[kind] ??= { planned: 0, struck: 0, times: 0 });
      sum.planned += planned;
      sum.struck += struck;
      sum.times += result.injected[kind] ?? 0;
    }
    for (const [kind, times] of Object.entries(result.kills)) kills[kind] = (kills[kind] ?? 0) + times;
    for (const stream of result.streams) {
      const sum = (streams[stream.stream] ??= none());
      for (const figure of FIGURES) sum[figure] += stream[figure];
    }
  }
  return {
    runs: results.length,
    failed: results.filter(({ isGood }) => !isGood).map(({ seed }) => seed),
    unsettled: results.filter(({ waiting }) => waiting.length > 0).map(({ seed }) => seed),
    injected,
    kills,
    streams,
    problems: results.reduce((sum, { problems }) => sum + problems.length, 0),
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

function none(): Record<(typeof FIGURES)[number], number> {
  return { truth: 0, stored: 0, lost: 0, doubled: 0, wrong: 0, admitted: 0, undeclared: 0, overAdmittedSeconds: 0 };
}

/** The totals as Markdown tables. */
export function toMarkdown(totals: CampaignTotals): string {
  const { runs, failed, unsettled, injected, kills, streams, problems } = totals;
  const verdict = failed.length === 0 ? "all good" : `${failed.length} failed: ${failed.join(", ")}`;
  const settled = unsettled.length === 0 ? "none" : `${unsettled.length} (${unsettled.join(", ")})`;
  return [
    `${runs} runs, ${verdict}; ${problems} problems beside the rows; ${settled} still waited for something at the end.`,
    "",
    markdownTable(
      ["stream", "rows of the truth", "lost", "doubled", "wrong", "of these admitted", "undeclared", "over-admitted s"],
      Object.entries(streams).map(([name, sum]) => [
        name,
        sum.truth,
        sum.lost,
        sum.doubled,
        sum.wrong,
        sum.admitted,
        sum.undeclared,
        sum.overAdmittedSeconds,
      ]),
    ),
    "",
    markdownTable(
      ["fault", "planned", "struck", "times"],
      Object.entries(injected)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([kind, sum]) => [kind, sum.planned, sum.struck, sum.times]),
    ),
    "",
    markdownTable(
      ["kill -9", "times"],
      Object.entries(kills).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ].join("\n");
}
