import { concat, keccak256, numberToHex } from "viem";
import type { Hex } from "../contract.ts";

/** Field of alt_bn128, over which ConditionalTokens adds collections. */
const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % P;
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/** CTHelpers.getCollectionId for parent 0: hash to a point of the curve, its x with a bit for the sign of y. */
function collectionId(conditionId: Hex, indexSet: number): Hex {
  const hashed = BigInt(keccak256(concat([conditionId, numberToHex(indexSet, { size: 32 })])));
  const odd = hashed >> 255n !== 0n;
  let x = hashed % P;
  let y = 0n;
  let square = 0n;
  do {
    x = (x + 1n) % P;
    square = (((x * x) % P) * x + 3n) % P;
    y = power(square, (P + 1n) / 4n);
  } while ((y * y) % P !== square);
  if ((y % 2n === 1n) !== odd) y = P - y;
  if (y % 2n === 1n) x ^= 1n << 254n;
  return numberToHex(x, { size: 32 });
}

/**
 * Token id (ERC-1155 position id) of one outcome, as a decimal string.
 * Collateral: USDC.e for standard markets, WrappedCollateral for neg-risk ones (reference polymarket.md §8.4).
 */
export function tokenId(collateral: Hex, conditionId: Hex, outcome: 0 | 1): string {
  return BigInt(keccak256(concat([collateral, collectionId(conditionId, outcome + 1)]))).toString();
}
