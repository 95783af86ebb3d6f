import type { ReactElement } from "react";
import { FigureList, FlagList } from "../../read/field-lists.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRows } from "../../read/dataset-queries.ts";
import { Card } from "../../ui/card.tsx";
import { Stat } from "../../ui/indicators.tsx";

const MARKET_360 = 575;
const FLAGS = [
  "liquidity_risk_flag",
  "volume_collapse_risk_flag",
  "whale_control_flag",
  "trade_concentration_flag",
  "squeeze_risk_flag",
];
const FIGURES = [
  "current_volume_24h",
  "current_volume_7d",
  "volume_adj",
  "volume_trend",
  "volume_ratio_24h_to_7d",
  "liquidity_tier",
  "liquidity_percentile",
  "open_interest",
  "spread",
  "depth_usd_2c",
  "slippage_1k",
  "micro_price",
  "imbalance",
  "unique_traders_7d",
  "trades_per_hour_avg",
  "peak_hour_trades",
  "top1_wallet_pct",
  "top3_wallet_pct",
  "top10_wallet_pct",
  "hhi",
  "effective_traders",
  "yes_avg_pnl",
  "no_avg_pnl",
  "winning_side",
  "net_pnl",
  "profit_loss_ratio",
  "brier_to_date",
  "snapshot_time",
];
const SIGNED = new Set(["yes_avg_pnl", "no_avg_pnl", "net_pnl"]);

type Row = Readonly<Record<string, unknown>> & {
  readonly credibility: number | null;
  readonly credibility_reasons: readonly string[];
};

/** A market's quality: credibility with its reasons, flags with their rules, all figures. */
export function FiguresCard({ conditionId }: { readonly conditionId: string }): ReactElement {
  const query = useRows<Row>(MARKET_360, { condition_id: conditionId }, { limit: 1 });
  return (
    <Card title="Market 360">
      <ShownRows query={query} none="No figures have been computed for this market yet.">
        {([row]) =>
          row === undefined ? null : (
            <div className="space-y-4">
              <dl>
                <Stat
                  label="Credibility, 0 to 100"
                  value={row.credibility === null ? "–" : row.credibility.toFixed(1)}
                  note={row.credibility_reasons.length === 0 ? "no deductions" : row.credibility_reasons.join("; ")}
                />
              </dl>
              <FlagList agentId={MARKET_360} row={row} names={FLAGS} />
              <details>
                <summary className="text-sm font-medium">All figures</summary>
                <FigureList agentId={MARKET_360} row={row} names={FIGURES} signed={SIGNED} />
              </details>
            </div>
          )
        }
      </ShownRows>
    </Card>
  );
}
