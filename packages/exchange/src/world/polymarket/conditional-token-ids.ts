import { concat, keccak256, numberToHex } from "viem/utils";
import type { Hex } from "../contract.ts";

/** ConditionalTokens.getConditionId for two outcomes. */
export function conditionId(oracle: Hex, questionId: Hex): Hex {
  return keccak256(concat([oracle, questionId, numberToHex(2, { size: 32 })]));
}

/** Field of alt_bn128, over which ConditionalTokens adds collections. */
const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/** Exponent that yields a square root, as P is 3 modulo 4. */
const ROOT = (P + 1n) / 4n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % P;
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/**
 * Whether a number has a square root in the field, by its Jacobi symbol: a quarter of the cost of computing the root,
 * and every second number has none.
 */
function hasRoot(number: bigint): boolean {
  let [top, bottom] = [number, P];
  let isSquare = true;
  while (top > 0n) {
    const twos = trailingZeros(top);
    top >>= BigInt(twos);
    const [a, b] = [Number(BigInt.asUintN(3, top)), Number(BigInt.asUintN(3, bottom))];
    if (twos % 2 === 1 && (b === 3 || b === 5)) isSquare = !isSquare;
    if (a % 4 === 3 && b % 4 === 3) isSquare = !isSquare;
    [top, bottom] = [bottom % top, top];
  }
  return isSquare;
}

function trailingZeros(number: bigint): number {
  const low = Number(BigInt.asUintN(31, number));
  return low === 0 ? 31 + trailingZeros(number >> 31n) : 31 - Math.clz32(low & -low);
}

/** CTHelpers.getCollectionId for parent 0: hash to a point of the curve, its x with a bit for the sign of y. */
function collectionId(condition: Hex, indexSet: number): Hex {
  const hashed = BigInt(keccak256(concat([condition, numberToHex(indexSet, { size: 32 })])));
  const odd = hashed >> 255n !== 0n;
  let x = hashed % P;
  let square = 0n;
  do {
    x = (x + 1n) % P;
    square = (((x * x) % P) * x + 3n) % P;
  } while (!hasRoot(square));
  let y = power(square, ROOT);
  if ((y % 2n === 1n) !== odd) y = P - y;
  if (y % 2n === 1n) x ^= 1n << 254n;
  return numberToHex(x, { size: 32 });
}

/**
 * Token id (ERC-1155 position id) of one outcome, as a decimal string.
 * Collateral: USDC.e for standard markets, WrappedCollateral for neg-risk ones (reference polymarket.md §8.4).
 */
export function tokenId(collateral: Hex, condition: Hex, outcome: 0 | 1): string {
  return BigInt(keccak256(concat([collateral, collectionId(condition, outcome + 1)]))).toString();
}
