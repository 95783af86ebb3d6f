import type { ReactElement } from "react";
import { useRows } from "../../read/use-rows.ts";
import { useAsked } from "../../read/use-asked.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { DepthCard } from "../book/depth-card.tsx";
import { FiguresCard } from "./figures-card.tsx";
import { HoldersCard } from "./holders-card.tsx";
import { MarketHead } from "./market-head.tsx";
import type { MarketRow } from "./market-row.ts";
import { PriceCard } from "./price-card.tsx";
import { TalkCard } from "./talk-card.tsx";
import { TapeCard } from "./tape-card.tsx";

const MARKETS = 574;

/** All of a Polymarket market: its price with what happened, its book, holders, figures, trades and talk. */
export function PolymarketMarket({ conditionId }: { readonly conditionId: string }): ReactElement {
  const query = useRows<MarketRow>(MARKETS, { condition_id: conditionId }, { limit: 1, keepsLast: false });
  const [outcome, chooseOutcome] = useAsked("outcome", "a", ["a", "b"]);
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
