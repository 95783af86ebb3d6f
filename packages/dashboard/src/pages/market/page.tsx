import type { ReactElement } from "react";
import { useParams } from "react-router";
import { Empty } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { KalshiMarket } from "./kalshi-market.tsx";
import { PolymarketMarket } from "./polymarket-market.tsx";

/**
 * A market of a venue: /markets/polymarket/<condition id> or /markets/kalshi/<ticker>. Another market remounts the
 * page, so that nothing of the previous one is shown.
 */
export default function MarketPage(): ReactElement {
  const { venue = "", id = "" } = useParams();
  if (venue === "polymarket") return <PolymarketMarket key={id.toLowerCase()} conditionId={id.toLowerCase()} />;
  if (venue === "kalshi") return <KalshiMarket key={id} ticker={id} />;
  return (
    <>
      <PageHeader title="No such venue" />
      <Empty title={`There is no venue “${venue}”`}>The venues are polymarket and kalshi.</Empty>
    </>
  );
}
