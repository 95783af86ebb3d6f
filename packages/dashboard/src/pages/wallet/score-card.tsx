import { useMemo, type ReactElement } from "react";
import { TimeChart } from "../../charts/time-chart.tsx";
import { Figure, Timestamp } from "../../read/values.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { toPixelNumber } from "../../read/exact-figures.ts";
import { useRows } from "../../read/dataset-queries.ts";
import { Badge, Stat } from "../../ui/indicators.tsx";
import { Card } from "../../ui/card.tsx";
import type { BoardRow } from "../leaderboards/score-board.tsx";
import { BarList } from "../../charts/bar-list.tsx";

const PARTS = [
  ["skill_percentile", "Skill", "35 %"],
  ["profit_percentile", "Profit", "20 %"],
  ["risk_percentile", "Risk", "20 %"],
  ["breadth_percentile", "Breadth", "15 %"],
  ["timing_percentile", "Timing", "10 %"],
] as const;
const PENALTIES = [
  ["wash_factor", "wash trades"],
  ["sybil_factor", "mirrored wallets"],
  ["farmer_factor", "farming"],
  ["maker_factor", "market making on both sides"],
] as const;

/** The parts of a day's score: percentiles in the pool by weight, and penalties. */
function ScoreParts({ row }: { readonly row: ScoreRow }): ReactElement {
  const penalties = PENALTIES.filter(([field]) => row[field] < 1);
  const bars = PARTS.map(([field, label, weight]) => ({
    id: field,
    head: (
      <>
        {label} <span className="text-ink-faint">({weight} of the score)</span>
      </>
    ),
    size: row[field],
    text: `${(100 * row[field]).toFixed(1)} percentile`,
  }));
  return (
    <div className="space-y-2">
      <p className="text-[13px] text-ink-faint">
        <Timestamp at={row.date} isDay />: {row.independent_fills} independent fills in {row.events} events; pool of{" "}
        {row.pool} wallets
      </p>
      <BarList label="Parts of the score" bars={bars} largest={1} />
      <p className="text-[13px]">
        {penalties.length === 0
          ? "No penalty."
          : `Penalties: ${penalties.map(([field, label]) => `× ${row[field].toFixed(3)} for ${label}`).join(", ")}.`}
      </p>
    </div>
  );
}

type Props = { readonly low: string; readonly score: string; readonly high: string };

/** A score on its scale, with its uncertainty interval. */
function ScoreInterval({ low, score, high }: Props): ReactElement {
  const [from, at, to] = [low, score, high].map((text) => Math.min(100, Math.max(0, toPixelNumber(text) ?? 0)));
  return (
    <div>
      <div aria-hidden="true" className="relative h-3 rounded-full bg-sunken">
        <div
          className="absolute h-full rounded-full bg-accent-soft"
          style={{ left: `${from}%`, width: `${(to ?? 0) - (from ?? 0)}%` }}
        />
        <div className="absolute -top-0.5 h-4 w-1 -translate-x-1/2 rounded bg-accent" style={{ left: `${at}%` }} />
      </div>
      <p className="mt-1 text-[13px] text-ink-faint tabular-nums">
        90 % of samples lie from {low} to {high}
      </p>
    </div>
  );
}

const [BOARD, HISTORY] = [584, 1006];
const MAX_DAYS = 365;

/** Our published score of the last fifteen days: rank, interval, parts, penalties and reasons, and past days. */
export function ScoreCard({ address }: { readonly address: string }): ReactElement {
  const board = useRows<BoardRow>(BOARD, { wallet: address }, { limit: 1 });
  const history = useRows<ScoreRow>(HISTORY, { wallet: address }, { limit: MAX_DAYS });
  return (
    <Card
      title="Score"
      about={
        <>
          Over the last fifteen days, 0 to 100;{" "}
          <a href="/docs/guides/score" className="text-accent underline">
            how it is computed
          </a>
          .
        </>
      }
    >
      <ShownRows query={board} none="This wallet was not active in the last fifteen days.">
        {([row]) => (row === undefined ? null : <Standing row={row} />)}
      </ShownRows>
      {board.data?.results[0]?.h_score == null ? null : (
        <div className="mt-4">
          <ShownRows query={history} none="No day was scored.">
            {(rows) => <Days rows={rows} />}
          </ShownRows>
        </div>
      )}
    </Card>
  );
}

function Standing({ row }: { readonly row: BoardRow }): ReactElement {
  return (
    <div className="space-y-3">
      <dl className="grid grid-cols-2 gap-3">
        <Stat
          label="Score"
          value={<Figure value={row.h_score} />}
          note={row.tier === null ? "" : `${row.tier}, ${row.trajectory}`}
        />
        <Stat label="Rank in the pool" value={<Figure value={row.leaderboard_rank} />} />
      </dl>
      {row.h_score === null ? (
        <p className="text-[13px] text-ink-faint">
          No score: fewer than 20 independent fills in markets resolved in the window.
        </p>
      ) : row.score_low === null || row.score_high === null ? null : (
        <ScoreInterval low={row.score_low} score={row.h_score} high={row.score_high} />
      )}
      {row.reasons.length === 0 ? null : (
        <ul aria-label="Reasons" className="flex flex-wrap gap-1.5">
          {row.reasons.map((reason) => (
            <li key={reason}>
              <Badge tone={reason.startsWith("high_") ? "good" : reason.startsWith("low_") ? "bad" : "quiet"}>
                {reason.replaceAll("_", " ")}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Days({ rows }: { readonly rows: readonly ScoreRow[] }): ReactElement {
  const [newest] = rows;
  const { times, series } = useMemo(() => {
    const days = rows.toReversed();
    const line = (label: string, field: "h_score" | "score_low" | "score_high", color: "1" | "muted") => ({
      label,
      color,
      values: days.map((day) => toPixelNumber(day[field])),
      texts: days.map((day) => day[field]),
    });
    return {
      times: days.map(({ date }) => Date.parse(date) / 1000),
      series: [
        line("Score", "h_score", "1"),
        line("5 % bound", "score_low", "muted"),
        line("95 % bound", "score_high", "muted"),
      ],
    };
  }, [rows]);
  return (
    <div className="space-y-4">
      {newest ? <ScoreParts row={newest} /> : null}
      {rows.length > 1 ? <TimeChart title="Score by day" times={times} series={series} height={150} isDays /> : null}
    </div>
  );
}

/** A row of dataset 1006: a day's score with all its parts. */
export type ScoreRow = {
  readonly date: string;
  readonly h_score: string;
  readonly score_low: string | null;
  readonly score_high: string | null;
  readonly pool: number;
  readonly independent_fills: number;
  readonly events: number;
  readonly q_value: number;
  readonly skill_percentile: number;
  readonly profit_percentile: number;
  readonly risk_percentile: number;
  readonly timing_percentile: number;
  readonly breadth_percentile: number;
  readonly wash_factor: number;
  readonly sybil_factor: number;
  readonly farmer_factor: number;
  readonly maker_factor: number;
  readonly reasons: readonly string[];
};
