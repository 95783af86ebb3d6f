import type { Hex } from "./contract.ts";

/** Contract that emits a log; the endpoint maps it to an address (V1 or V2 by `ChainLog.exchange_version`). */
export type ChainContract = "exchange" | "neg_risk_exchange" | "ctf" | "neg_risk_adapter";

/** ABI value as accepted by viem. */
export type AbiValue = bigint | number | Hex | readonly bigint[] | boolean;

/**
 * One decoded log. `event` and the names in `args` are those of the real ABIs (reference polymarket.md §8.2), so that
 * viem's encodeEventTopics / encodeAbiParameters accept them unchanged. V1 and V2 exchange events share names but
 * differ in args.
 */
export interface ChainLog {
  contract: ChainContract;
  /** Real address of the contract, lower case. */
  address: Hex;
  event:
    | "OrderFilled"
    | "OrdersMatched"
    | "FeeCharged"
    | "PositionSplit"
    | "PositionsMerge"
    | "PositionsConverted"
    | "PayoutRedemption"
    | "ConditionPreparation"
    | "ConditionResolution"
    | "MarketPrepared"
    | "QuestionPrepared"
    | "OutcomeReported"
    | "TransferSingle"
    | "TransferBatch";
  exchange_version: "V1" | "V2";
  args: Readonly<Record<string, AbiValue>>;
  tx_hash: Hex;
  tx_index: number;
  block_number: number;
  log_index: number;
}

/** Filter by contract and event; arguments of logs it rejects are not computed. */
export type LogWish = (log: Pick<ChainLog, "contract" | "address" | "event" | "exchange_version">) => boolean;

export interface ChainBlock {
  number: number;
  hash: Hex;
  parent_hash: Hex;
  /** Whole seconds. */
  timestamp: number;
}

/** The simulated Polygon chain: a block every 2 s from the world's start. Blocks beyond the head do not exist yet. */
export interface ChainWorld {
  readonly first_block: number;
  /** Newest block that is complete at `world.reached()`. */
  head(): number;
  block(number: number): ChainBlock | undefined;
  /** First block whose timestamp is ≥ `ms`. */
  blockAt(ms: number): number;
  /** Logs of the blocks `from`..`to`, both included, by block and log index; only those matching `wish`, if given. */
  logs(from: number, to: number, wish?: LogWish): ChainLog[];
  /** Transaction hashes of a block, in order. */
  transactions(number: number): Hex[];
}
