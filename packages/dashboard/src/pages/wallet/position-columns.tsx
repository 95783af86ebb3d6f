import { Figure } from "../../read/figure.tsx";
import { MarketLink } from "../../read/market-link.tsx";
import { Moment } from "../../read/moment.tsx";
import { shortHex } from "../../read/short-hex.ts";
import { Badge } from "../../ui/badge.tsx";
import type { TableColumn } from "../../ui/table-column.ts";

export type PositionRow = {
  readonly token_id: string;
  readonly condition_id: string;
  readonly slug: string | null;
  readonly outcome: string | null;
  readonly status: string;
  readonly shares: string;
  readonly average_cost: string | null;
  /** null where nothing was bought. */
  readonly avg_entry_price: string | null;
  readonly mark: string | null;
  readonly value: string | null;
  readonly unrealized_pnl: string | null;
  readonly realized_pnl: string;
  readonly fees: string;
  /** null where shares are held and have no mark. */
  readonly pnl_polymarket: string | null;
  readonly estimated: boolean;
  readonly trades: number;
  readonly last_at: string;
};

type Amount =
  | "shares"
  | "average_cost"
  | "avg_entry_price"
  | "mark"
  | "value"
  | "unrealized_pnl"
  | "realized_pnl"
  | "fees"
  | "pnl_polymarket";
type AmountOptions = { readonly isSigned?: boolean; readonly about?: string; readonly width?: number };

const amount = (id: Amount, header: string, options: AmountOptions = {}): TableColumn<PositionRow> => ({
  id,
  header,
  ...(options.about === undefined ? {} : { about: options.about }),
  width: options.width ?? 130,
  align: "right",
  sortValue: (row) => row[id],
  cell: (row) => <Figure value={row[id]} isSigned={options.isSigned ?? false} />,
});

/** A position at cost and at mark, as ours and as the venue shows it. */
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
    header: "Books",
    about: "Whether its figures are exact or estimated.",
    width: 110,
    sortValue: (row) => String(row.estimated),
    cell: (row) => (row.estimated ? <Badge tone="warn">estimated</Badge> : "exact"),
  },
  amount("shares", "Shares", { width: 150 }),
  amount("avg_entry_price", "Average entry", {
    about: "Average price of what was bought, before fees, as Polymarket shows it; it stays after the end.",
  }),
  amount("average_cost", "Average cost", { about: "Cost of what is held, by share." }),
  amount("mark", "Mark"),
  amount("value", "Value, USD", { width: 150 }),
  amount("unrealized_pnl", "Unrealised", { isSigned: true, about: "Value less cost." }),
  amount("realized_pnl", "Realised", { isSigned: true, about: "By average cost, less fees." }),
  amount("fees", "Fees, USD"),
  amount("pnl_polymarket", "Polymarket's profit", {
    isSigned: true,
    about: "Profit as Polymarket shows it: realised and not, before fees.",
    width: 170,
  }),
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
