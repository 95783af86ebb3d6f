import type { Hex, PolymarketEvent, PolymarketMarket, TxPlace } from "./contract.ts";
import type { Happened } from "./happened.ts";

/** A wallet's split or merge of complete sets, outside any match: shares of both outcomes ↔ the same amount of USD. */
export interface SetHappening extends Happened, TxPlace {
  kind: "split" | "merge";
  market: PolymarketMarket;
  wallet: Hex;
  amount_micro: number;
  /**
   * Done by a collateral adapter for the wallet (V2): no event names the wallet, only the transfer of its tokens does.
   */
  is_through_adapter: boolean;
  log_index: number;
}

/** NegRisk conversion: NO of each `given` question in; YES of every other question and amount·(given−1) USD out. */
export interface ConvertHappening extends Happened, TxPlace {
  kind: "convert";
  event: PolymarketEvent;
  wallet: Hex;
  /** Bit i = NO of question i is given in. */
  index_set: number;
  amount_micro: number;
  usd_out_micro: number;
  is_through_adapter: boolean;
  log_index: number;
}

export interface RedeemHappening extends Happened, TxPlace {
  kind: "redeem";
  market: PolymarketMarket;
  wallet: Hex;
  /** Shares of outcome 0 and 1 that were burnt. */
  amounts_micro: [number, number];
  payout_micro: number;
  is_through_adapter: boolean;
  log_index: number;
}

/** Shares that a wallet sends to another, with no payment visible on the chain. */
export interface TransferHappening extends Happened, TxPlace {
  kind: "transfer";
  market: PolymarketMarket;
  wallet: Hex;
  to_wallet: Hex;
  /** Shares of outcome 0 and 1. */
  amounts_micro: [number, number];
  log_index: number;
}

/** A wallet's operation with its tokens outside any match. */
export type OperationHappening = SetHappening | ConvertHappening | RedeemHappening;
