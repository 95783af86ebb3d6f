import { type ReactElement, useMemo } from "react";
import { useAsk, useRows } from "../../read/dataset-queries.ts";
import { useRequested } from "../../read/use-requested.ts";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { DepthCard } from "../book/depth-card.tsx";
import { FiguresCard } from "./figures-card.tsx";
import { HoldersCard } from "./holders-card.tsx";
import { MarketHead } from "./market-head.tsx";
import type { MarketRow } from "./market-row.ts";
import { talkRangeOf } from "./talk-range.ts";
import { PriceCard } from "./price-card.tsx";
import { TapeCard } from "./tape-card.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
import { RANGES, type RangeName } from "../../read/ranges.ts";
import { ShownRows } from "../../read/shown-rows.tsx";
import { Card } from "../../ui/card.tsx";

const VOLUME = 1007;
const MOST = 1000;

type VolumeRow = {
  readonly bucket: string;
  readonly posts: number | null;
  readonly sources_down: readonly string[];
  readonly sentiment_mean: string | null;
};

/** Number of posts about the market by bucket; a bucket in which nothing was ingested is a gap, not a zero. */
function TalkCard({ conditionId }: { readonly conditionId: string }): ReactElement {
  const [range] = useRequested("range", "1w", Object.keys(RANGES));
  const { limitOf } = useAsk();
  const { interval, hours, isCut } = talkRangeOf(range as RangeName, limitOf(VOLUME, MOST));
  const query = useRows<VolumeRow>(
    VOLUME,
    { condition_id: conditionId, interval, hours_back: String(hours) },
    { limit: MOST },
  );
  return (
    <Card
      title="Posts about it"
      about={`One bar per ${interval}, none where no source was collected.${isCut ? ` The newest ${hours} hours, which your plan's pages have room for.` : ""}`}
    >
      <ShownRows query={query} none="Nothing was collected in this range.">
        {(rows) => <TalkChart rows={rows} />}
      </ShownRows>
    </Card>
  );
}

function TalkChart({ rows }: { readonly rows: readonly VolumeRow[] }): ReactElement {
  const times = useMemo(() => rows.map(({ bucket }) => Date.parse(bucket) / 1000), [rows]);
  const series = useMemo(
    () => [{ label: "Posts", values: rows.map(({ posts }) => posts), color: "3" as const, kind: "bars" as const }],
    [rows],
  );
  const gathered = rows.filter(({ posts }) => posts !== null);
  const total = gathered.reduce((sum, { posts }) => sum + (posts ?? 0), 0);
  return (
    <>
      <TimeChart title="Posts" times={times} series={series} height={140} />
      <p className="mt-1 text-[13px] text-ink-faint">
        {total} {total === 1 ? "post" : "posts"}; {gathered.length} of {rows.length} buckets were collected.
      </p>
    </>
  );
}

const MARKETS = 574;

/** All data of a Polymarket market: its price with events, its book, holders, figures, trades and posts. */
export function PolymarketMarket({ conditionId }: { readonly conditionId: string }): ReactElement {
  const query = useRows<MarketRow>(MARKETS, { condition_id: conditionId }, { limit: 1, keepsLast: false });
  const [outcome, chooseOutcome] = useRequested("outcome", "a", ["a", "b"]);
  const market = query.data?.results[0];
  if (query.isPending) return <Spinner label="Loading the market" />;
  if (!market) {
    return (
      <>
        <PageHeader title="Market" />
        {query.error ? (
          <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Empty title="No such market">
            The catalogue has no Polymarket market with the condition id {conditionId}. Search by its title instead.
          </Empty>
        )}
      </>
    );
  }
  const isA = outcome === "a";
  const token = {
    id: isA ? market.side_a_token_id : market.side_b_token_id,
    outcome: isA ? market.side_a_outcome : market.side_b_outcome,
  };
  return (
    <>
      <MarketHead market={market} outcome={outcome} onOutcome={chooseOutcome} />
      <div className="grid min-w-0 grid-cols-1 gap-5 xl:grid-cols-3">
        <div className="min-w-0 xl:col-span-3">
          <PriceCard key={token.id} conditionId={conditionId} tokenId={token.id} outcome={token.outcome} />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-5 xl:col-span-2">
          <TalkCard conditionId={conditionId} />
          <TapeCard tokenId={token.id} outcome={token.outcome} />
          <HoldersCard conditionId={conditionId} />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-5">
          <DepthCard key={token.id} venue="polymarket" instrument={token.id} title={`Book of ${token.outcome}`} />
          <FiguresCard conditionId={conditionId} />
        </div>
      </div>
    </>
  );
}
