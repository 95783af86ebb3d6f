import { useMemo, type ReactElement } from "react";
import { TimeChart } from "../../charts/time-chart.tsx";
import { toPixelNumber } from "../../read/exact-figures.ts";
import { useAsk, useRows } from "../../read/dataset-queries.ts";
import { ErrorNote } from "../../ui/content-states.tsx";
import { quoteStepOf } from "./quote-step.ts";
import type { Venue } from "./use-book.ts";

const [POLYMARKET, KALSHI] = [568, 1101];
const MOST = 1000;

type QuoteRow = {
  readonly candle_time?: string;
  readonly end_time?: string;
  readonly bid_close: string | number | null;
  readonly ask_close: string | number | null;
};

type Props = {
  readonly venue: Venue;
  readonly instrument: string;
  /** Unix ms. */
  readonly from: number;
  readonly to: number;
  readonly at: number | undefined;
};

/** Best bid and ask over the slider's range, per minute if a page has room for it. */
export function QuotesStrip({ venue, instrument, from, to, at }: Props): ReactElement | null {
  const isPolymarket = venue === "polymarket";
  const agentId = isPolymarket ? POLYMARKET : KALSHI;
  const { limitOf } = useAsk();
  const step = quoteStepOf(from, to, limitOf(agentId, MOST));
  const query = useRows<QuoteRow>(
    agentId,
    {
      [isPolymarket ? "token_id" : "ticker"]: instrument,
      interval: step.interval,
      fill: "quotes",
      start_time: new Date(from).toISOString(),
      end_time: new Date(to).toISOString(),
    },
    { limit: MOST },
  );
  const rows = query.data?.results;
  const shown = useMemo(() => {
    const known = (rows ?? []).filter(({ bid_close: bid, ask_close: ask }) => bid !== null || ask !== null);
    const side = (label: string, color: "up" | "down", name: "bid_close" | "ask_close") => ({
      label,
      color,
      values: known.map((row) => toPixelNumber(row[name])),
      texts: known.map((row) => (row[name] === null ? null : String(row[name]))),
    });
    return {
      times: known.map((row) => Date.parse(row.candle_time ?? row.end_time ?? "") / 1000),
      series: [side("Best bid", "up", "bid_close"), side("Best ask", "down", "ask_close")],
    };
  }, [rows]);
  if (query.error && !rows) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  if (shown.times.length === 0) return null;
  return (
    <TimeChart
      title={`Best bid and ask, ${isPolymarket ? "USD" : "cents"}, by ${step.label}`}
      times={shown.times}
      series={shown.series}
      height={120}
      {...(at === undefined ? {} : { playhead: at / 1000 })}
    />
  );
}
