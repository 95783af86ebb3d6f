import type { MatchHappening } from "../world/contract.ts";
import type { KalshiTrade } from "../world/kalshi-contract.ts";

/** Ground-truth row of a match: its legs are the OrderFilled logs, taker last. Integers as in the world's contract. */
export function toMatchTruth(match: MatchHappening) {
  return {
    seq: match.seq,
    ms: match.ms,
    block_ms: match.block_ms,
    block_number: match.block_number,
    tx_hash: match.tx_hash,
    exchange_version: match.exchange_version,
    condition_id: match.market.condition_id,
    touched_price_e4: match.touched_price_e4,
    legs: [...match.makers, match.taker],
  };
}

export function toKalshiTradeTruth(trade: KalshiTrade) {
  return {
    seq: trade.seq,
    ms: trade.ms,
    trade_id: trade.trade_id,
    ticker: trade.market.ticker,
    yes_price_e4: trade.yes_price_e4,
    count_cc: trade.count_cc,
    taker_side: trade.taker_side,
    is_block_trade: trade.is_block_trade,
  };
}
