import { useMemo, type ReactElement } from "react";
import { Link, useParams } from "react-router";
import { useRows } from "../../read/dataset-queries.ts";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { MarketRow } from "../market/market-row.ts";
import { BookHistory } from "./book-history.tsx";
import { useBook, type Venue } from "./use-book.ts";

const [POLYMARKET, KALSHI] = [574, 565];
const CONDITION = /^0x[0-9a-f]{64}$/i;

type Named = { readonly title: string; readonly outcome?: string; readonly href: string };

/** Name of the book's instrument: a Polymarket token's market and outcome, or a Kalshi market's title. */
function useName(venue: Venue, instrument: string): Named {
  const isKalshi = venue === "kalshi";
  const newest = useBook({ venue: "polymarket", instrument, depth: "1", isOn: !isKalshi });
  const condition = newest.data?.results[0]?.condition_id ?? "";
  const market = useRows<MarketRow>(
    POLYMARKET,
    { condition_id: condition },
    { limit: 1, isOn: !isKalshi && condition !== "", keepsLast: false },
  ).data?.results[0];
  const kalshi = useRows<{ readonly title: string }>(
    KALSHI,
    { ticker: instrument },
    { limit: 1, isOn: isKalshi, keepsLast: false },
  ).data?.results[0];
  if (isKalshi)
    return { title: kalshi?.title ?? instrument, href: `/markets/kalshi/${encodeURIComponent(instrument)}` };
  const outcome = market?.side_b_token_id === instrument ? market.side_b_outcome : market?.side_a_outcome;
  const side = market?.side_b_token_id === instrument ? "?outcome=b" : "";
  return {
    title: market?.question ?? "Order book",
    ...(outcome === undefined ? {} : { outcome }),
    href: condition === "" ? "" : `/markets/polymarket/${condition}${side}`,
  };
}

function Book({ venue, instrument }: { readonly venue: Venue; readonly instrument: string }): ReactElement {
  const { title, outcome, href } = useName(venue, instrument);
  const isKalshi = venue === "kalshi";
  const about = useMemo(
    () => (
      <span className="flex flex-wrap gap-x-3">
        <span className="min-w-0">
          {isKalshi ? "Order book, YES scale" : `Order book${outcome === undefined ? "" : ` of ${outcome}`}`}
        </span>
        {href === "" ? null : (
          <Link to={href} className="text-accent underline">
            The market
          </Link>
        )}
      </span>
    ),
    [outcome, href, isKalshi],
  );
  return (
    <>
      <PageHeader title={title} about={about} />
      <BookHistory venue={venue} instrument={instrument} />
    </>
  );
}

/** The book of a condition's first outcome, for an address with a condition id. */
function OfCondition({ conditionId }: { readonly conditionId: string }): ReactElement {
  const query = useRows<MarketRow>(POLYMARKET, { condition_id: conditionId }, { limit: 1, keepsLast: false });
  const market = query.data?.results[0];
  if (market) return <Book key={market.side_a_token_id} venue="polymarket" instrument={market.side_a_token_id} />;
  return (
    <>
      <PageHeader title="Order book" />
      {query.error ? (
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Spinner />
      ) : (
        <Empty title="No such market">No Polymarket market has the condition id {conditionId}.</Empty>
      )}
    </>
  );
}

/** /books/polymarket/<token id or condition id> or /books/kalshi/<ticker>. Another book remounts the page. */
export default function BookPage(): ReactElement {
  const { venue = "", id = "" } = useParams();
  if (venue === "kalshi") return <Book key={id} venue="kalshi" instrument={id} />;
  if (venue === "polymarket")
    return CONDITION.test(id) ? (
      <OfCondition conditionId={id.toLowerCase()} />
    ) : (
      <Book key={id} venue="polymarket" instrument={id} />
    );
  return (
    <>
      <PageHeader title="No such venue" />
      <Empty title={`There is no venue “${venue}”`}>The venues are polymarket and kalshi.</Empty>
    </>
  );
}
