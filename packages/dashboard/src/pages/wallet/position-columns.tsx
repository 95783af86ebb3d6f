import { figureColumn } from "../../read/columns.tsx";
import { MarketLink, Timestamp } from "../../read/values.tsx";
import { shortHex } from "../../read/value-text.ts";
import { Badge } from "../../ui/indicators.tsx";
import type { TableColumn } from "../../ui/table-column.ts";

export type PositionRow = {
  readonly token_id: string;
  readonly condition_id: string;
  readonly slug: string | null;
  readonly outcome: string | null;
  readonly status: string;
  readonly shares: string;
  readonly average_cost: string | null;
  /** null if nothing was bought. */
  readonly avg_entry_price: string | null;
  readonly mark: string | null;
  readonly value: string | null;
  readonly unrealized_pnl: string | null;
  readonly realized_pnl: string;
  readonly fees: string;
  /** null if shares are held that have no mark. */
  readonly pnl_polymarket: string | null;
  readonly estimated: boolean;
  readonly trades: number;
  readonly last_at: string;
};

const AMOUNT = { width: 130 };

/** A position at cost and at mark, by our figures and as the venue shows it. */
export const POSITION_COLUMNS: readonly TableColumn<PositionRow>[] = [
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
  {
    id: "estimated",
    header: "Accuracy",
    about: "Whether its figures are exact or estimated.",
    width: 110,
    sortValue: (row) => String(row.estimated),
    cell: (row) => (row.estimated ? <Badge tone="warn">estimated</Badge> : "exact"),
  },
  figureColumn("shares", "Shares", { width: 150 }),
  figureColumn("avg_entry_price", "Average entry", {
    ...AMOUNT,
    about: "Average price of what was bought, before fees, as Polymarket shows it; it stays after the position ends.",
  }),
  figureColumn("average_cost", "Average cost", { ...AMOUNT, about: "Cost per share held." }),
  figureColumn("mark", "Mark", AMOUNT),
  figureColumn("value", "Value, USD", { width: 150 }),
  figureColumn("unrealized_pnl", "Unrealised", { ...AMOUNT, isSigned: true, about: "Value less cost." }),
  figureColumn("realized_pnl", "Realised", { ...AMOUNT, isSigned: true, about: "By average cost, less fees." }),
  figureColumn("fees", "Fees, USD", AMOUNT),
  figureColumn("pnl_polymarket", "Polymarket's profit", {
    ...AMOUNT,
    isSigned: true,
    about: "Profit as Polymarket shows it: realised and unrealised, before fees.",
    width: 170,
  }),
  figureColumn("trades", "Fills", { width: 70 }),
  {
    id: "last",
    header: "Last event",
    width: 190,
    sortValue: (row) => row.last_at,
    cell: (row) => <Timestamp at={row.last_at} />,
  },
];
