import type { MatchHappening, MarketResolvedHappening, TxPlace, Hex } from "../world/contract.ts";
import type { KalshiTrade } from "../world/kalshi-contract.ts";
import type { OperationHappening, TransferHappening } from "../world/operation-contract.ts";
import type { ReorgChain } from "../polymarket/chain/reorg-chain.ts";
import type { SocialHappening } from "../world/social-happenings.ts";

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

/** Chain position fields of a truth row. */
function placeOf({ tx_hash, block_number, block_ms }: TxPlace) {
  return { tx_hash, block_number, block_ms };
}

/** A split, merge, conversion or redemption by a wallet. A conversion names the neg-risk market of its event. */
export function toOperationTruth(operation: OperationHappening) {
  const { kind, seq, ms, wallet, log_index, is_through_adapter } = operation;
  const common = { kind, seq, ms, ...placeOf(operation), log_index, wallet, is_through_adapter };
  if (operation.kind === "convert") {
    const { event, index_set, amount_micro, usd_out_micro } = operation;
    return { ...common, neg_risk_market_id: event.neg_risk_market_id, index_set, amount_micro, usd_out_micro };
  }
  const { condition_id } = operation.market;
  if (operation.kind === "redeem") {
    const { amounts_micro, payout_micro } = operation;
    return { ...common, condition_id, amounts_micro, payout_micro };
  }
  return { ...common, condition_id, amount_micro: operation.amount_micro };
}

export function toResolutionTruth(resolved: MarketResolvedHappening) {
  const { seq, ms, log_index, market, payout_numerators } = resolved;
  const { condition_id, oracle, question_id } = market;
  return { seq, ms, ...placeOf(resolved), log_index, condition_id, oracle, question_id, payout_numerators };
}

/** A transfer of shares between wallets, by outcome. */
export function toTransferTruth(transfer: TransferHappening) {
  const { seq, ms, log_index, market, wallet, to_wallet, amounts_micro } = transfer;
  const { condition_id, token_ids } = market;
  return { seq, ms, ...placeOf(transfer), log_index, wallet, to_wallet, condition_id, token_ids, amounts_micro };
}

interface PlacedRow {
  tx_hash: Hex;
  block_number: number;
  block_ms: number;
  /** Log index of a single event; a match has `legs` instead. */
  log_index?: number;
  legs?: readonly { log_index: number }[];
}

/**
 * Returns a truth row with its chain position after reorgs. `dropped`: the transaction never came back and the row
 * keeps its old position; `pending`: it will come back in a block that does not exist yet, so its log indexes are
 * unknown.
 */
export function canonicalRow<R extends PlacedRow>(row: R, chain: Pick<ReorgChain, "placeOf">) {
  const place = chain.placeOf(row.tx_hash, row.block_number);
  if (place === null) return { ...row, dropped: true, pending: false };
  const { block_number, block_ms, log_shift, is_pending } = place;
  const shifted = <T extends { log_index: number }>(item: T): T => ({ ...item, log_index: item.log_index + log_shift });
  return {
    ...row,
    block_number,
    block_ms,
    ...(row.log_index !== undefined && { log_index: row.log_index + log_shift }),
    ...(row.legs !== undefined && { legs: row.legs.map(shifted) }),
    dropped: false,
    pending: is_pending,
  };
}

/** Ground-truth row of a social happening: refers to other posts by number, with current counts and deletion state. */
export function toTalkRow(happening: SocialHappening): object {
  if (happening.kind === "post") {
    const { seq, ms, us } = happening;
    const { parent, root, ...post } = happening.post;
    return { seq, ms, us, ...post, parent: parent?.number ?? null, root: root?.number ?? null };
  }
  if (happening.kind === "reaction") {
    const { reaction, ...when } = happening;
    const { post, source, type, did, rkey } = reaction;
    return { ...when, source, type, post: post.number, did, rkey };
  }
  if (happening.kind !== "removal") return happening;
  const { removed, ...when } = happening;
  const [what, record] = "post" in removed ? ["post", removed.post] : [removed.reaction.type, removed.reaction];
  const post = "post" in removed ? removed.post.number : removed.reaction.post.number;
  return { ...when, what, source: record.source, post, did: record.did, rkey: record.rkey };
}
