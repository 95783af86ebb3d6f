import type { ChainContract, ChainLog } from "../chain-contract.ts";
import type { ExchangeVersion, FillLeg, Hex } from "../contract.ts";
import { ADDRESSES } from "./addresses.ts";

/** A log without a chain position yet; its arguments are computed only when read. */
export interface LogDraft extends Pick<ChainLog, "contract" | "address" | "event" | "exchange_version"> {
  args: () => ChainLog["args"];
  /** The filled order that the log reports. */
  leg?: FillLeg;
  /** Whether the log reports the complete operation of a wallet: its index becomes that of the happening. */
  isReporting?: boolean;
}

type Args = LogDraft["args"];

/** A log of ConditionalTokens or of the NegRiskAdapter. */
export function draft(
  contract: Extract<ChainContract, "ctf" | "neg_risk_adapter">,
  event: ChainLog["event"],
  args: Args,
  isReporting: boolean = false,
): LogDraft {
  return { contract, address: ADDRESSES[contract], event, exchange_version: "V2", args, isReporting };
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

/** Moves one token: TransferSingle of ConditionalTokens. */
export function moveOne(operator: Hex, from: Hex, to: Hex, id: string, micro: number): LogDraft {
  return draft("ctf", "TransferSingle", () => ({ operator, from, to, id: BigInt(id), value: BigInt(micro) }));
}

/** Moves several tokens at once: TransferBatch of ConditionalTokens. */
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
