import { toMicro } from "../exact/to-micro.ts";
import type { DataTrade } from "./data-trade.ts";

/** What two rows of the same filled order agree on, in whichever feed they stand. */
export function fillKey(trade: DataTrade): string {
  return `${trade.tx_hash}|${trade.wallet}|${trade.token_id}|${trade.side}|${toMicro(trade.size)}`;
}
