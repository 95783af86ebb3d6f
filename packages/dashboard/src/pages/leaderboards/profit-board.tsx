import { useMemo, type ReactElement } from "react";
import { figureColumn } from "../../read/columns.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRows } from "../../read/dataset-queries.ts";
import { WalletLink } from "../../read/values.tsx";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { TableColumn } from "../../ui/table-column.ts";
import { EquityCell } from "./equity-cell.tsx";

const LEADERBOARD = 579;
const MOST = 200;
export const PERIODS = ["1d", "3d", "7d", "15d", "30d", "90d", "all"];
const ALL_DAYS = 90;

type BoardRow = {
  readonly rank: number;
  readonly address: string;
  readonly total_pnl: string;
  readonly roi: string | null;
  readonly win_rate: string | null;
  readonly sharpe_ratio: string | null;
  readonly total_invested: string;
  readonly avg_trade_size: string | null;
  readonly total_trades: number;
  readonly markets_traded: number;
};

/** Days of equity drawn for a period; for all time, the last ninety. */
export const daysOf = (period: string): number => {
  const days = Number.parseInt(period, 10);
  return Number.isNaN(days) ? ALL_DAYS : Math.max(2, Math.min(ALL_DAYS, days));
};

const AMOUNT = { width: 125 };

const columnsOf = (shown: string): readonly TableColumn<BoardRow>[] => [
  { id: "rank", header: "Rank", width: 75, align: "right", sortValue: (row) => row.rank, cell: (row) => row.rank },
  {
    id: "address",
    header: "Wallet",
    width: 135,
    isRowHeader: true,
    cell: (row) => <WalletLink address={row.address} />,
  },
  { id: "equity", header: "Equity", width: 140, cell: (row) => <EquityCell wallet={row.address} of={shown} /> },
  figureColumn("total_pnl", "Profit, USD", {
    ...AMOUNT,
    isSigned: true,
    about: "Realised in the period, after fees",
  }),
  figureColumn("roi", "ROI, %", {
    ...AMOUNT,
    isSigned: true,
    isShare: true,
    about: "Profit divided by the amount bought",
  }),
  figureColumn("win_rate", "Win rate, %", { ...AMOUNT, isShare: true, about: "Positions that ended with a profit" }),
  figureColumn("sharpe_ratio", "Sharpe", { ...AMOUNT, about: "Of daily returns, marked to market, annualised" }),
  figureColumn("total_invested", "Bought, USD", { ...AMOUNT, about: "Notional of the fills that bought" }),
  figureColumn("avg_trade_size", "A trade, USD", { ...AMOUNT, about: "Bought divided by trades" }),
  figureColumn("total_trades", "Trades", { ...AMOUNT, about: "Fills bought and sold" }),
  figureColumn("markets_traded", "Markets", { ...AMOUNT, about: "Markets with a fill" }),
];

interface Props {
  readonly day: string;
  readonly period: string;
  readonly onPeriod: (period: string) => void;
}

/** Wallets ranked by realised profit of a period. */
export function ProfitBoard({ day, period, onPeriod }: Props): ReactElement {
  const params = { leaderboard_period: period, ...(day === "" ? {} : { as_of: day }) };
  const query = useRows<BoardRow>(LEADERBOARD, params, { limit: MOST });
  const columns = useMemo(() => columnsOf(`profit ${period} ${day}`), [period, day]);
  return (
    <Card
      isFlush
      title="Profit"
      about={`Ranked by realised profit among all wallets. Click a heading to sort the top ${MOST}.`}
      aside={
        <ChoiceRow
          label="Period"
          value={period}
          choices={PERIODS.map((value) => ({ value, label: value }))}
          onChange={onPeriod}
        />
      }
    >
      <ShownRows query={query} none="No wallet was active in this period." noteClass="px-5 pb-4">
        {(rows) => (
          <DataTable
            caption="Leaderboard of profit"
            rows={rows}
            columns={columns}
            rowKey={(row) => row.address}
            maxHeightPx={720}
            rowHeightPx={45}
          />
        )}
      </ShownRows>
    </Card>
  );
}
