import { useMemo, type ReactElement } from "react";
import { Figure, Timestamp } from "../../read/values.tsx";
import { ShownRows } from "../../read/shown-rows.tsx";
import { useRows } from "../../read/dataset-queries.ts";
import { Badge, Stat } from "../../ui/indicators.tsx";
import { Card } from "../../ui/card.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { DepthCard } from "../book/depth-card.tsx";
import { candlesOf } from "./candles-of.ts";
import { IntervalChoice, RangeChoice, useShownRange } from "./shown-range.tsx";
import { KalshiTape } from "./kalshi-tape.tsx";
import { PriceView } from "./price-view.tsx";

const [MARKETS, CANDLES] = [565, 1101];
const INTERVALS = ["1m", "1h", "1d"];
const MOST = 1000;

export type KalshiRow = {
  readonly ticker: string;
  readonly event_ticker: string;
  readonly title: string;
  readonly status: string;
  readonly result: string | null;
  readonly last_price: number | null;
  readonly yes_bid: number | null;
  readonly yes_ask: number | null;
  readonly volume: number;
  readonly volume_24h: number;
  readonly open_interest: number;
  readonly open_time: string | null;
  readonly close_time: string | null;
  readonly settlement_value: number | null;
  readonly category: string;
};
type CandleRow = Readonly<Record<"open" | "high" | "low" | "close", number | null>> & {
  readonly end_time: string;
  readonly volume: number;
  readonly period_minutes: number;
};

/** All data of a Kalshi market: its price, book and trades. */
export function KalshiMarket({ ticker }: { readonly ticker: string }): ReactElement {
  const query = useRows<KalshiRow>(MARKETS, { ticker }, { limit: 1, keepsLast: false });
  const market = query.data?.results[0];
  if (query.isPending) return <Spinner label="Loading the market" />;
  if (!market)
    return (
      <>
        <PageHeader title="Market" />
        {query.error ? (
          <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Empty title="No such market">The catalogue has no Kalshi market with the ticker {ticker}.</Empty>
        )}
      </>
    );
  return (
    <>
      <KalshiHead market={market} />
      <div className="grid min-w-0 grid-cols-1 gap-5 xl:grid-cols-3">
        <div className="grid min-w-0 grid-cols-1 content-start gap-5 xl:col-span-2">
          <KalshiPrice ticker={ticker} />
          <KalshiTape ticker={ticker} />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-5">
          <DepthCard venue="kalshi" instrument={ticker} title="Book, YES scale" />
          <p className="text-[13px] text-ink-faint">
            Holders, price jumps, posts and Market 360 are computed for Polymarket only: Kalshi publishes no wallets.
          </p>
        </div>
      </div>
    </>
  );
}

function KalshiHead({ market }: { readonly market: KalshiRow }): ReactElement {
  const about = (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <Badge>Kalshi</Badge>
      <Badge tone={market.status === "active" ? "good" : "warn"}>{market.status}</Badge>
      {market.result === null ? null : <Badge tone="accent">Result: {market.result}</Badge>}
      <span className="font-mono text-xs">{market.ticker}</span>
      {market.category === "" ? null : <span className="min-w-0">{market.category}</span>}
      <span>
        opened <Timestamp at={market.open_time} />, closes <Timestamp at={market.close_time} />
      </span>
    </span>
  );
  return (
    <>
      <PageHeader title={market.title} about={about} />
      <dl className="mb-6 grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-4">
        <Stat
          label="Last price, YES"
          value={<Figure value={market.last_price} unit="¢" />}
          note={
            <>
              bid <Figure value={market.yes_bid} unit="¢" />, ask <Figure value={market.yes_ask} unit="¢" />
            </>
          }
        />
        <Stat label="Contracts, all time" value={<Figure value={market.volume} />} />
        <Stat label="Contracts, 24 hours" value={<Figure value={market.volume_24h} />} />
        <Stat label="Open contracts" value={<Figure value={market.open_interest} />} />
      </dl>
    </>
  );
}

function KalshiPrice({ ticker }: { readonly ticker: string }): ReactElement {
  const shown = useShownRange(INTERVALS);
  const { seconds, stepS, interval } = shown;
  const limit = Math.min(MOST, Math.ceil(seconds / stepS) + 1);
  const query = useRows<CandleRow>(CANDLES, { ticker, interval }, { limit });
  const { data } = query;
  const from = data ? Math.floor(Date.parse(data.timestamp) / 1000) - seconds - stepS : 0;
  const candles = useMemo(() => {
    const beginOf = (row: CandleRow): number => Date.parse(row.end_time) / 1000 - row.period_minutes * 60;
    return candlesOf(data?.results ?? [], beginOf).filter(({ time }) => time >= from);
  }, [data, from]);
  const isCut = data?.pagination.hasMore === true && (candles[0]?.time ?? 0) > from + stepS;
  return (
    <Card
      title="Price of YES"
      about="The venue's own candles, in cents, with volume in contracts."
      aside={<RangeChoice range={shown.range} onRange={shown.chooseRange} />}
    >
      <div className="mb-3">
        <IntervalChoice intervals={INTERVALS} interval={interval} onInterval={shown.chooseInterval} />
      </div>
      <ShownRows query={query} none="The venue returned no candles.">
        {() => <PriceView title={`YES in cents, ${interval}`} candles={candles} stepS={stepS} isCut={isCut} />}
      </ShownRows>
    </Card>
  );
}
