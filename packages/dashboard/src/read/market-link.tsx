import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";

type MarketLinkProps = { readonly conditionId: string | null; readonly children: ReactNode };

/** Link to a Polymarket market's page; plain text if the market is not known. */
export function MarketLink({ conditionId, children }: MarketLinkProps): ReactElement {
  if (conditionId === null || conditionId === "") return <span>{children}</span>;
  return (
    <Link to={`/markets/polymarket/${conditionId}`} className="text-accent hover:underline">
      {children}
    </Link>
  );
}
