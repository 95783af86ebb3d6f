import { fromDefinition } from "../definition/sql.ts";

/**
 * A row of `polymarket_markets` tells for good how its market ended: closed at a known moment, with payouts
 * (`connectors/polymarket/gamma/resolution.ts`: no price of a proposed or disputed answer), and said to be resolved. Markets
 * without any word of the oracle (older ones) must be priced like a result: 0.99 may be a last trade.
 */
export const CATALOGUE_IS_FINAL = fromDefinition(
  "closed AND isNotNull(closed_date) AND isNotNull(payout_a) AND (lower(resolution_status) IN ('resolved', 'settled') OR (resolution_status = '' AND greatest(side_a_price, side_b_price) >= 0.9999))",
);
