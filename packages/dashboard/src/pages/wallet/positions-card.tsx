import { useState, type ReactElement } from "react";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRequested } from "../../read/use-requested.ts";
import { useRows } from "../../read/dataset-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { DataTable, useIsNarrow } from "../../ui/data-table.tsx";
import { TEXT_LINK } from "../../ui/text-link.ts";
import { POSITION_COLUMNS, type PositionRow } from "./position-columns.tsx";

const POSITIONS = 1001;
const MOST = 500;
const STATUSES = [
  { value: "open", label: "Open" },
  { value: "redeemable", label: "Redeemable" },
  { value: "closed", label: "Closed" },
  { value: "ALL", label: "All" },
];

/** Cards added at a time on a phone, where each takes half of the screen. */
const CARDS = 10;

/** Explains which figures are the venue's, and what an estimate is, as the guide does. */
function PositionsNote({ rows }: { readonly rows: readonly PositionRow[] }): ReactElement {
  return (
    <div className="flex flex-col gap-1 px-5 pt-3 text-[13px] text-ink-faint">
      <p>
        Realised and unrealised profit are ours, after fees. Average entry and Polymarket's profit are as its position
        pages show them, before fees.{" "}
        <a href="/docs/guides/profit" className={TEXT_LINK}>
          How profit is computed
        </a>
      </p>
      {rows.some(({ estimated }) => estimated) ? (
        <p>
          <span className="font-medium text-warn">Estimated</span>: shares moved between wallets or were sold without
          having been held, a result is known only from the catalogue, or fees are unknown.
        </p>
      ) : null}
    </div>
  );
}

function PositionRows({ rows }: { readonly rows: readonly PositionRow[] }): ReactElement {
  const isNarrow = useIsNarrow();
  const [most, setMost] = useState(CARDS);
  const shown = isNarrow ? rows.slice(0, most) : rows;
  return (
    <>
      <DataTable
        isCardsWhenNarrow
        caption="Rows of positions"
        rows={shown}
        columns={POSITION_COLUMNS}
        rowKey={(row) => row.token_id}
        maxHeightPx={420}
      />
      {shown.length < rows.length ? (
        <p className="flex items-center gap-3 border-t border-line px-5 pt-3 text-[13px] text-ink-faint">
          The first {shown.length} of {rows.length}.
          <Button isSmall onClick={() => setMost(most + CARDS)}>
            Show more positions
          </Button>
        </p>
      ) : null}
      <PositionsNote rows={rows} />
    </>
  );
}

/** The wallet's positions, at cost and at mark. */
export function PositionsCard({ address }: { readonly address: string }): ReactElement {
  const [status, chooseStatus] = useRequested("status", "open", ["open", "redeemable", "closed", "ALL"]);
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
            <PositionRows rows={rows} />
            {pagination.hasMore ? (
              <p className="px-5 pt-2 text-xs text-ink-faint">The {rows.length} of the largest value.</p>
            ) : null}
          </>
        )}
      </ShownRows>
    </Card>
  );
}
