import { useState, type ReactElement } from "react";
import { Figure, Timestamp, WalletLink } from "../../read/values.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRows } from "../../read/dataset-queries.ts";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import type { TableColumn } from "../../ui/table-column.ts";

const [TRADES, TAPE] = [556, 1103];
const ROWS = 100;
const EVERY_MS = 10_000;

type Traded = {
  readonly timestamp: string;
  readonly side: string;
  readonly price: number;
  readonly size: number;
};
type FillRow = Traded & {
  readonly id: string;
  readonly usd: number;
  readonly role: string;
  readonly proxy_wallet: string;
};
type PrintRow = Traded & {
  readonly sequence: number;
  readonly transaction_hash: string | null;
};

const traded: readonly TableColumn<Traded>[] = [
  { id: "at", header: "Time", width: 190, cell: (row) => <Timestamp at={row.timestamp} /> },
  {
    id: "side",
    header: "Side",
    width: 70,
    cell: (row) => <span className={row.side === "BUY" ? "text-up" : "text-down"}>{row.side}</span>,
  },
  { id: "price", header: "Price", width: 90, align: "right", cell: (row) => <Figure value={row.price} /> },
  { id: "size", header: "Shares", width: 110, align: "right", cell: (row) => <Figure value={row.size} /> },
];
const FILLS: readonly TableColumn<FillRow>[] = [
  ...traded,
  { id: "usd", header: "USD", width: 110, align: "right", cell: (row) => <Figure value={row.usd} /> },
  {
    id: "wallet",
    header: "Taker",
    width: 140,
    cell: (row) => <WalletLink address={row.proxy_wallet} />,
  },
];

function Fills({ tokenId }: { readonly tokenId: string }): ReactElement {
  const params = { token_id: tokenId, role: "taker" };
  const query = useRows<FillRow>(TRADES, params, { limit: ROWS, everyMs: EVERY_MS });
  return (
    <ShownRows query={query} none="This outcome was never traded." noteClass="px-5 pb-4">
      {(rows) => (
        <DataTable
          caption="Trades, the newest first"
          rows={rows}
          columns={FILLS}
          rowKey={(row) => row.id}
          maxHeightPx={360}
        />
      )}
    </ShownRows>
  );
}

function Prints({ tokenId }: { readonly tokenId: string }): ReactElement {
  const query = useRows<PrintRow>(TAPE, { token_id: tokenId }, { limit: ROWS, everyMs: EVERY_MS });
  return (
    <ShownRows query={query} none="No prints since recording of the tape began." noteClass="px-5 pb-4">
      {(rows) => (
        <DataTable
          caption="Prints, the newest first"
          rows={rows}
          columns={traded}
          rowKey={(row) =>
            `${row.timestamp} ${row.transaction_hash} ${row.side} ${row.price} ${row.size} ${row.sequence}`
          }
          maxHeightPx={360}
        />
      )}
    </ShownRows>
  );
}

/** The latest trades: fills with their takers, or the live tape. */
export function TapeCard({ tokenId, outcome }: { readonly tokenId: string; readonly outcome: string }): ReactElement {
  const [shown, setShown] = useState("fills");
  return (
    <Card
      isFlush
      title={`Trades of ${outcome}`}
      about={
        shown === "fills"
          ? "Takers' fills from the chain."
          : "As the venue printed them, to the millisecond, without wallets."
      }
      aside={
        <ChoiceRow
          label="Source of trades"
          value={shown}
          onChange={setShown}
          choices={[
            { value: "fills", label: "Fills" },
            { value: "tape", label: "Tape" },
          ]}
        />
      }
    >
      {shown === "fills" ? <Fills key={tokenId} tokenId={tokenId} /> : <Prints key={tokenId} tokenId={tokenId} />}
    </Card>
  );
}
