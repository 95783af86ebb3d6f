import { useMemo, type ReactElement } from "react";
import { TimeChart } from "../../charts/time-chart.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { toPixelNumber } from "../../read/exact-figures.ts";
import { useRequested } from "../../read/use-requested.ts";
import { useRows } from "../../read/dataset-queries.ts";
import { Card } from "../../ui/card.tsx";
import { ChoiceRow } from "../../ui/choice-row.tsx";
import { drawdownSeries } from "./drawdown-series.ts";
import { GRAINS } from "./grains.ts";

const EQUITY = 1003;

type EquityRow = Readonly<Record<"close" | "peak" | "drawdown" | "realized_pnl" | "open_value", string>> & {
  readonly candle_time: string;
};

/** Profit over time, realised and unrealised, and the drawdown from its peak. */
export function EquityCard({ address }: { readonly address: string }): ReactElement {
  const [grain, chooseGrain] = useRequested(
    "grain",
    "1d",
    GRAINS.map(({ value }) => value),
  );
  const query = useRows<EquityRow>(EQUITY, { proxy_wallet: address, interval: grain }, { limit: 1000 });
  return (
    <Card
      title="Equity"
      about="Total profit at the end of each span, realised and unrealised; below, its drawdown from the peak."
      aside={<ChoiceRow label="Grain" value={grain} choices={GRAINS} onChange={chooseGrain} />}
    >
      <ShownRows query={query} none="No known holdings or activity of this wallet.">
        {(rows, { pagination }) => (
          <>
            <EquityCharts rows={rows} />
            {pagination.hasMore ? (
              <p className="mt-1 text-xs text-ink-faint">
                The newest {rows.length}; choose weeks or months to see all.
              </p>
            ) : null}
          </>
        )}
      </ShownRows>
    </Card>
  );
}

function EquityCharts({ rows }: { readonly rows: readonly EquityRow[] }): ReactElement {
  const { times, equity, drawdown } = useMemo(
    () => ({
      times: rows.map(({ candle_time: at }) => Date.parse(at) / 1000),
      equity: [
        {
          label: "Profit, USD",
          kind: "area" as const,
          values: rows.map(({ close }) => toPixelNumber(close)),
          texts: rows.map(({ close }) => close),
        },
        {
          label: "Value held, USD",
          values: rows.map((row) => toPixelNumber(row.open_value)),
          texts: rows.map((row) => row.open_value),
        },
      ],
      drawdown: [drawdownSeries(rows)],
    }),
    [rows],
  );
  return (
    <div className="space-y-3">
      <TimeChart title="Equity" times={times} series={equity} height={220} isDays />
      <TimeChart title="Drawdown from the peak" times={times} series={drawdown} height={110} isDays />
    </div>
  );
}
