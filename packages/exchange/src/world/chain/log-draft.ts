import type { ChainContract, ChainLog } from "../chain-contract.ts";
import type { ExchangeVersion, FillLeg, Hex } from "../contract.ts";
import { ADDRESSES } from "./addresses.ts";

/** A log of a transaction before it has a place; its arguments are only worked out for who reads it. */
export interface LogDraft extends Pick<ChainLog, "contract" | "address" | "event" | "exchange_version"> {
  args: () => ChainLog["args"];
  /** The order whose filling it tells. */
  leg?: FillLeg;
  /** It tells the whole of what a wallet did: its index is that of the happening. */
  isTelling?: boolean;
}

type Args = LogDraft["args"];

/** A log of ConditionalTokens or of the NegRiskAdapter. */
export function draft(
  contract: Extract<ChainContract, "ctf" | "neg_risk_adapter">,
  event: ChainLog["event"],
  args: Args,
  isTelling: boolean = false,
): LogDraft {
  return { contract, address: ADDRESSES[contract], event, exchange_version: "V2", args, isTelling };
}

/** A log of an exchange. */
export function exchangeDraft(
  exchange: Pick<ChainLog, "contract" | "address">,
  exchange_version: ExchangeVersion,
  event: ChainLog["event"],
  args: Args,
): LogDraft {
  return { ...exchange, event, exchange_version, args };
}

/** One token moves: TransferSingle of ConditionalTokens. */
export function moveOne(operator: Hex, from: Hex, to: Hex, id: string, micro: number): LogDraft {
  return draft("ctf", "TransferSingle", () => ({ operator, from, to, id: BigInt(id), value: BigInt(micro) }));
}

/** Several tokens move at once: TransferBatch of ConditionalTokens. */
export function moveMany(
  operator: Hex,
  from: Hex,
  to: Hex,
  tokens: readonly string[],
  micros: readonly number[],
): LogDraft {
  return draft("ctf", "TransferBatch", () => ({
    operator,
    from,
    to,
    ids: tokens.map(BigInt),
    values: micros.map(BigInt),
  }));
}
