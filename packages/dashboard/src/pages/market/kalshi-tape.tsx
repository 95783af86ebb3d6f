import type { ReactElement } from "react";
import { Figure, Timestamp } from "../../read/values.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRows } from "../../read/dataset-queries.ts";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { TableColumn } from "../../ui/table-column.ts";

const TRADES = 573;
const EVERY_MS = 10_000;

type TradeRow = {
  readonly trade_id: string;
  readonly created_time: string;
  readonly count: number;
  readonly yes_price: number;
  readonly taker_side: string;
  readonly usd: number;
};

const COLUMNS: readonly TableColumn<TradeRow>[] = [
  { id: "at", header: "Time", width: 190, cell: (row) => <Timestamp at={row.created_time} /> },
  {
    id: "side",
    header: "Taker side",
    width: 100,
    cell: (row) => <span className={row.taker_side === "yes" ? "text-up" : "text-down"}>{row.taker_side}</span>,
  },
  { id: "price", header: "YES, ¢", width: 90, align: "right", cell: (row) => <Figure value={row.yes_price} /> },
  { id: "count", header: "Contracts", width: 110, align: "right", cell: (row) => <Figure value={row.count} /> },
  { id: "usd", header: "USD", width: 110, align: "right", cell: (row) => <Figure value={row.usd} /> },
];

/** The latest trades. */
export function KalshiTape({ ticker }: { readonly ticker: string }): ReactElement {
  const query = useRows<TradeRow>(TRADES, { ticker }, { limit: 100, everyMs: EVERY_MS });
  return (
    <Card isFlush title="Trades" about="The newest first.">
      <ShownRows query={query} none="This market was never traded." noteClass="px-5 pb-4">
        {(rows) => (
          <DataTable
            caption="Trades, the newest first"
            rows={rows}
            columns={COLUMNS}
            rowKey={(row) => row.trade_id}
            maxHeightPx={360}
          />
        )}
      </ShownRows>
    </Card>
  );
}
