import type { ReactElement } from "react";
import { BarList } from "../../charts/bar-list.tsx";
import { Moment } from "../../read/moment.tsx";
import type { ScoreRow } from "./score-row.ts";

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
  ["maker_factor", "making markets on both sides"],
] as const;

/** What a day's score is made of: percentiles in the pool by weight, and what was taken off. */
export function ScoreParts({ row }: { readonly row: ScoreRow }): ReactElement {
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
        <Moment at={row.date} isDay />: {row.independent_fills} independent fills in {row.events} events; pool of{" "}
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
