import type { InsertRow } from "../../../definition/table.ts";
import type { DataTrade } from "../data/data-trade.ts";
import { derivedOrderHash } from "../derived-order-hash.ts";
import { isoSeconds } from "../exact/iso-seconds.ts";
import { microText } from "../../../definition/micro-text.ts";
import { productMicro } from "../exact/product-micro.ts";
import { toMicro } from "../exact/to-micro.ts";

/**
 * A row of polymarket_early_fills from one message. Of two legs of a transaction that are alike in wallet, token, side and
 * shares there is one row: a message told twice cannot be told from them, and a fill too many would be false.
 * The time is RTDS's, usually a second less than the block's; there is no fee and no block.
 */
export function toEarlyFill(trade: DataTrade, role: "maker" | "taker" | "unknown"): InsertRow {
  const { tx_hash, wallet, token_id, side } = trade;
  const sharesMicro = toMicro(trade.size);
  return {
    ts: isoSeconds(trade.seconds),
    tx_hash,
    order_hash: derivedOrderHash({ tx_hash, wallet, token_id, side, sharesMicro, occurrence: 0 }),
    wallet,
    token_id,
    side,
    role,
    match_kind: "unknown",
    shares: microText(sharesMicro),
    usd: microText(productMicro(trade.price, trade.size)),
    fee_usd: "0",
    block_number: 0,
    log_index: 0,
    source: "rtds",
  };
}
