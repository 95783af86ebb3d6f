import { ADDRESSES } from "./addresses.ts";
import type { ChainLog } from "../chain-contract.ts";
import type { ExchangeVersion, Hex, PolymarketMarket, TxPlace } from "../contract.ts";

const ZERO: Hex = `0x${"0".repeat(64)}`;

/**
 * Logs of complete sets made (`split`) or burnt (`merge`) by `holder`. On a neg-risk market the adapter does it for the holder:
 * ConditionalTokens names the adapter, and the adapter's own event, which comes second, names the holder.
 */
export function setLogs(
  market: PolymarketMarket,
  place: TxPlace,
  kind: "split" | "merge",
  holder: Hex,
  amount_micro: number,
  first: number,
  version: ExchangeVersion,
): ChainLog[] {
  const event = kind === "split" ? "PositionSplit" : "PositionsMerge";
  const base = {
    event,
    exchange_version: version,
    tx_hash: place.tx_hash,
    tx_index: place.tx_index,
    block_number: place.block_number,
  } as const;
  const amount = BigInt(amount_micro);
  const args = {
    stakeholder: market.neg_risk ? ADDRESSES.neg_risk_adapter : holder,
    collateralToken: market.neg_risk ? ADDRESSES.wrapped_collateral : ADDRESSES.usdc_e,
    parentCollectionId: ZERO,
    conditionId: market.condition_id,
    partition: [1n, 2n],
    amount,
  };
  const logs: ChainLog[] = [{ ...base, contract: "ctf", address: ADDRESSES.ctf, args, log_index: first }];
  if (market.neg_risk) {
    const own = { stakeholder: holder, conditionId: market.condition_id, amount };
    const contract = "neg_risk_adapter";
    logs.push({ ...base, contract, address: ADDRESSES.neg_risk_adapter, args: own, log_index: first + 1 });
  }
  return logs;
}
