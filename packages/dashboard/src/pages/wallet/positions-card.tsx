import type { ReactElement } from "react";
import { Figure } from "../../read/figure.tsx";
import { MarketLink } from "../../read/market-link.tsx";
import { Moment } from "../../read/moment.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { shortHex } from "../../read/short-hex.ts";
import { useAsked } from "../../read/use-asked.ts";
import { useRows } from "../../read/use-rows.ts";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { TableColumn } from "../../ui/table-column.ts";

const POSITIONS = 1001;
const MOST = 500;
const STATUSES = [
  { value: "open", label: "Open" },
  { value: "redeemable", label: "Redeemable" },
  { value: "closed", label: "Closed" },
  { value: "ALL", label: "All" },
];

type PositionRow = {
  readonly token_id: string;
  readonly condition_id: string;
  readonly slug: string | null;
  readonly outcome: string | null;
  readonly status: string;
  readonly shares: string;
  readonly average_cost: string | null;
  readonly mark: string | null;
  readonly value: string | null;
  readonly unrealized_pnl: string | null;
  readonly realized_pnl: string;
  readonly trades: number;
  readonly last_at: string;
};

type Amount = "shares" | "average_cost" | "mark" | "value" | "unrealized_pnl" | "realized_pnl";

const amount = (id: Amount, header: string, isSigned = false): TableColumn<PositionRow> => ({
  id,
  header,
  width: 130,
  align: "right",
  sortValue: (row) => row[id],
  cell: (row) => <Figure value={row[id]} isSigned={isSigned} />,
});

const COLUMNS: readonly TableColumn<PositionRow>[] = [
  {
    id: "market",
    header: "Market",
    width: 260,
    isRowHeader: true,
    sortValue: (row) => row.slug,
    cell: (row) => <MarketLink conditionId={row.condition_id}>{row.slug ?? shortHex(row.condition_id)}</MarketLink>,
  },
  { id: "outcome", header: "Outcome", width: 110, sortValue: (row) => row.outcome, cell: (row) => row.outcome ?? "–" },
  { id: "status", header: "Status", width: 105, sortValue: (row) => row.status, cell: (row) => row.status },
  amount("shares", "Shares"),
  amount("average_cost", "Average cost"),
  amount("mark", "Mark"),
  amount("value", "Value, USD"),
  amount("unrealized_pnl", "Unrealised", true),
  amount("realized_pnl", "Realised", true),
  {
    id: "trades",
    header: "Fills",
    width: 70,
    align: "right",
    sortValue: (row) => row.trades,
    cell: (row) => <Figure value={String(row.trades)} />,
  },
  {
    id: "last",
    header: "Last event",
    width: 190,
    sortValue: (row) => row.last_at,
    cell: (row) => <Moment at={row.last_at} />,
  },
];

/** What the wallet holds, at cost and at mark. */
export function PositionsCard({ address }: { readonly address: string }): ReactElement {
  const [status, chooseStatus] = useAsked("status", "open", ["open", "redeemable", "closed", "ALL"]);
  const query = useRows<PositionRow>(POSITIONS, { proxy_wallet: address, status }, { limit: MOST });
  return (
    <Card
      isFlush
      title="Positions"
      about="The largest value first."
      aside={<ChoiceRow label="Status of positions" value={status} choices={STATUSES} onChange={chooseStatus} />}
    >
      <ShownRows query={query} none="No position of this kind." noteClass="px-5 pb-4">
        {(rows, { pagination }) => (
          <>
            <DataTable
              caption="Rows of positions"
              rows={rows}
              columns={COLUMNS}
              rowKey={(row) => row.token_id}
              maxHeightPx={420}
            />
            {pagination.hasMore ? (
              <p className="px-5 pt-2 text-xs text-ink-faint">The {rows.length} of the largest value.</p>
            ) : null}
          </>
        )}
      </ShownRows>
    </Card>
  );
}
