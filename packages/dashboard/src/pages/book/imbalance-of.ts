import { toPixelNumber } from "../../read/to-pixel-number.ts";

/** (bids − asks) / (bids + asks) of the notional shown: 1 is all bids, −1 all asks; null for an empty book. */
export function imbalanceOf(bidUsd: string, askUsd: string): number | null {
  const [bids, asks] = [toPixelNumber(bidUsd) ?? 0, toPixelNumber(askUsd) ?? 0];
  return bids + asks === 0 ? null : (bids - asks) / (bids + asks);
}
