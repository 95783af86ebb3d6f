import { decodeFunctionData, encodeAbiParameters, type Hex, parseAbi } from "viem";
import type { World } from "../../world/world.ts";
import { contracts } from "./contracts.ts";
import { RpcError } from "./rpc-error.ts";

const abi = parseAbi([
  "function payoutDenominator(bytes32 conditionId) view returns (uint256)",
  "function payoutNumerators(bytes32 conditionId, uint256 index) view returns (uint256)",
  "function getOutcomeSlotCount(bytes32 conditionId) view returns (uint256)",
]);

/** eth_call of the reads of ConditionalTokens that the paper world can answer, always at the newest block. */
export function callContract(world: World, to: string, data: Hex): Hex {
  if (to.toLowerCase() !== contracts.conditionalTokens.toLowerCase()) return "0x";
  const call = decode(data);
  const payout = world.polymarket.market(call.args[0])?.payout_numerators ?? null;
  const known = world.polymarket.market(call.args[0]) !== undefined;
  if (call.functionName === "getOutcomeSlotCount") return word(known ? 2n : 0n);
  if (call.functionName === "payoutDenominator") return word(payout === null ? 0n : BigInt(payout[0] + payout[1]));
  const index = Number(call.args[1]);
  if (index > 1 || !known) throw new RpcError(3, "execution reverted");
  return word(BigInt(payout?.[index === 0 ? 0 : 1] ?? 0));
}

function decode(data: Hex): { functionName: string; args: readonly [Hex, bigint?] } {
  try {
    return decodeFunctionData({ abi, data });
  } catch {
    throw new RpcError(3, "execution reverted");
  }
}

function word(value: bigint): Hex {
  return encodeAbiParameters([{ type: "uint256" }], [value]);
}
