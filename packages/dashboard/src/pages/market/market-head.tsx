import type { ReactElement } from "react";
import { Figure, Timestamp } from "../../read/values.tsx";
import { Badge, Stat } from "../../ui/indicators.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { MarketRow } from "./market-row.ts";

type Props = {
  readonly market: MarketRow;
  readonly outcome: string;
  readonly onOutcome: (outcome: string) => void;
};

function Status({ market }: { readonly market: MarketRow }): ReactElement {
  if (market.winning_outcome !== null) return <Badge tone="accent">Resolved: {market.winning_outcome}</Badge>;
  return market.closed ? <Badge tone="warn">Closed</Badge> : <Badge tone="good">Open</Badge>;
}

const labelOf = (outcome: string, price: number | null): ReactElement => (
  <>
    {outcome} <Figure value={price} />
  </>
);

/** The market's question, its state, and the selected outcome. */
export function MarketHead({ market, outcome, onOutcome }: Props): ReactElement {
  return (
    <>
      <PageHeader
        title={market.question}
        about={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <Badge>Polymarket</Badge>
            <Status market={market} />
            {market.category === "" ? null : <span className="min-w-0">{market.category}</span>}
            <span>
              listed <Timestamp at={market.start_date} />, ends <Timestamp at={market.end_date} />
            </span>
            {market.closed_date === null ? null : (
              <span>
                closed <Timestamp at={market.closed_date} />
              </span>
            )}
          </span>
        }
        actions={
          <ChoiceRow
            label="Outcome"
            value={outcome}
            onChange={onOutcome}
            choices={[
              { value: "a", label: labelOf(market.side_a_outcome, market.side_a_price) },
              { value: "b", label: labelOf(market.side_b_outcome, market.side_b_price) },
            ]}
          />
        }
      />
      <dl className="mb-6 grid grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-4">
        <Stat label="Volume, all time" value={<Figure value={market.volume_total} unit="$" />} />
        <Stat label="Volume, 24 hours" value={<Figure value={market.volume_24h} unit="$" />} />
        <Stat label="Liquidity" value={<Figure value={market.liquidity} unit="$" />} />
      </dl>
    </>
  );
}
