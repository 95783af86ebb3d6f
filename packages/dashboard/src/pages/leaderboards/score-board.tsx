import { useMemo, type ReactElement } from "react";
import { figureColumn } from "../../read/columns.tsx";
import { Figure, WalletLink } from "../../read/values.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRequested } from "../../read/use-requested.ts";
import { useRows } from "../../read/dataset-queries.ts";
import { Badge } from "../../ui/indicators.tsx";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { TableColumn } from "../../ui/table-column.ts";
import { EquityCell } from "./equity-cell.tsx";

const BOARD = 584;
const MOST = 200;
const SORTS = ["h_score", "roi", "pnl", "win_rate", "trades", "sharpe"];
const SORT_LABELS: Readonly<Record<string, string>> = {
  h_score: "Score",
  roi: "ROI",
  pnl: "Profit",
  win_rate: "Win rate",
  trades: "Trades",
  sharpe: "Sharpe",
};
/** Turns off the dataset's default filters, which keep the large and the lucky, so that the whole pool is shown. */
const UNFILTERED = {
  min_win_rate_15d: "ALL",
  max_win_rate_15d: "ALL",
  min_roi_15d: "ALL",
  min_total_trades_15d: "ALL",
  max_total_trades_15d: "ALL",
  min_pnl_15d: "ALL",
};

export type BoardRow = {
  readonly leaderboard_rank: number | null;
  readonly wallet: string;
  readonly tier: string | null;
  readonly h_score: string | null;
  readonly score_low: string | null;
  readonly score_high: string | null;
  readonly roi_pct_15d: string | null;
  readonly win_rate_pct_15d: string | null;
  readonly sharpe_ratio_15d: string | null;
  readonly total_trades_15d: number;
  readonly total_pnl_15d: string;
  readonly total_volume_15d: string;
  readonly trajectory: string;
  readonly reasons: readonly string[];
};

const AMOUNT = { width: 125, isSorted: false };

const columnsOf = (shown: string): readonly TableColumn<BoardRow>[] => [
  figureColumn("leaderboard_rank", "Rank", { ...AMOUNT, width: 75 }),
  { id: "wallet", header: "Wallet", width: 135, isRowHeader: true, cell: (row) => <WalletLink address={row.wallet} /> },
  { id: "equity", header: "Equity", width: 140, cell: (row) => <EquityCell wallet={row.wallet} of={shown} /> },
  {
    id: "score",
    header: "Score",
    about: "0 to 100, and the interval that contains 90 % of samples",
    width: 200,
    align: "right",
    cell: (row) => (
      <>
        <Figure value={row.h_score} />{" "}
        {row.score_low === null ? null : (
          <span className="text-xs text-ink-faint">
            {row.score_low}–{row.score_high}
          </span>
        )}
      </>
    ),
  },
  { id: "tier", header: "Tier", width: 95, cell: (row) => row.tier ?? "–" },
  figureColumn("total_pnl_15d", "Profit, USD", { ...AMOUNT, isSigned: true }),
  figureColumn("roi_pct_15d", "ROI, %", { ...AMOUNT, isSigned: true }),
  figureColumn("win_rate_pct_15d", "Win rate, %", AMOUNT),
  figureColumn("sharpe_ratio_15d", "Sharpe", AMOUNT),
  figureColumn("total_volume_15d", "Bought, USD", AMOUNT),
  figureColumn("total_trades_15d", "Trades", { ...AMOUNT, width: 85 }),
  { id: "trajectory", header: "Trend", width: 100, cell: (row) => row.trajectory },
  {
    id: "reasons",
    header: "Reasons",
    width: 330,
    cell: (row) => (
      <span className="flex gap-1" title={row.reasons.join(", ")}>
        {row.reasons.map((reason) => (
          <Badge key={reason}>{reason.replaceAll("_", " ")}</Badge>
        ))}
      </span>
    ),
  },
];

/** Wallets ranked by our published score over fifteen days. */
export function ScoreBoard({ day }: { readonly day: string }): ReactElement {
  const [sort, chooseSort] = useRequested("sort", "h_score", SORTS);
  const [pool, choosePool] = useRequested("pool", "whole", ["whole", "proven"]);
  const params = {
    sort_by: sort,
    ...(pool === "whole" ? UNFILTERED : {}),
    ...(day === "" ? {} : { as_of: day }),
  };
  const query = useRows<BoardRow>(BOARD, params, { limit: MOST });
  const columns = useMemo(() => columnsOf(`score ${day}`), [day]);
  return (
    <Card
      isFlush
      title="Score"
      about="Over the fifteen days up to the day; the rank is by score in the whole pool, whatever is shown."
      aside={
        <>
          <ChoiceRow
            label="Wallets"
            value={pool}
            choices={[
              { value: "whole", label: "Whole pool" },
              { value: "proven", label: "From 50 trades and $5,000" },
            ]}
            onChange={choosePool}
          />
          <ChoiceRow
            label="Order"
            value={sort}
            choices={SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
            onChange={chooseSort}
          />
        </>
      }
    >
      <ShownRows query={query} none="No wallet was scored, or none passes these filters." noteClass="px-5 pb-4">
        {(rows) => (
          <DataTable
            caption="Leaderboard of scores"
            rows={rows}
            columns={columns}
            rowKey={(row) => row.wallet}
            maxHeightPx={720}
            rowHeightPx={45}
          />
        )}
      </ShownRows>
    </Card>
  );
}
