import type { MarketResolvedHappening, TxPlace } from "../world/contract.ts";
import type { OperationHappening, TransferHappening } from "../world/operation-contract.ts";

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
