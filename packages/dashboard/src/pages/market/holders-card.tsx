import { useMemo, type ReactElement } from "react";
import { BarList } from "../../charts/bar-list.tsx";
import { Figure, WalletLink } from "../../read/values.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { toPixelNumber } from "../../read/exact-figures.ts";
import { useRows } from "../../read/dataset-queries.ts";
import { Card } from "../../ui/card.tsx";

const HOLDERS = 1004;
const MOST = 15;

type HolderRow = {
  readonly proxy_wallet: string;
  readonly token_id: string;
  readonly outcome: string | null;
  readonly outcome_index: number | null;
  readonly shares: string;
  readonly pct_of_outcome: number;
  readonly unrealized_pnl: string | null;
};

function Holder({ row }: { readonly row: HolderRow }): ReactElement {
  return (
    <>
      <WalletLink address={row.proxy_wallet} />{" "}
      <span className="text-ink-faint">{row.outcome ?? "unknown outcome"}</span>
    </>
  );
}

/** Largest holders of both outcomes. */
export function HoldersCard({ conditionId }: { readonly conditionId: string }): ReactElement {
  const query = useRows<HolderRow>(HOLDERS, { condition_id: conditionId }, { limit: MOST });
  return (
    <Card
      title="Largest holders"
      about={`The ${MOST} largest of both outcomes, with their shares and their part of the outcome's total.`}
    >
      <ShownRows query={query} none="No known holders.">
        {(rows) => <Holders rows={rows} />}
      </ShownRows>
    </Card>
  );
}

function Holders({ rows }: { readonly rows: readonly HolderRow[] }): ReactElement {
  const bars = useMemo(
    () =>
      rows.map((row) => ({
        id: `${row.proxy_wallet} ${row.token_id}`,
        head: <Holder row={row} />,
        size: toPixelNumber(row.shares) ?? 0,
        color: row.outcome_index === 1 ? ("2" as const) : ("1" as const),
        text: (
          <>
            <Figure value={row.shares} /> <span className="text-ink-faint">({row.pct_of_outcome.toFixed(1)} %)</span>
          </>
        ),
      })),
    [rows],
  );
  return <BarList label="Largest holders" bars={bars} />;
}
