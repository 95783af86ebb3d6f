import { keccak, toWord } from "../chain/keccak.ts";

/** Field of alt_bn128, over which ConditionalTokens adds collections. */
const FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/**
 * The token (ERC-1155 position id) of an index set of a condition: 1 is outcome 0, 2 is outcome 1. Collateral is USDC.e
 * for standard markets and the wrapped collateral for neg-risk ones. Source: reference/polymarket.md §8.4.
 */
export function positionId(collateral: string, conditionId: string, indexSet: bigint): bigint {
  return BigInt(keccak(collateral, collectionId(conditionId, indexSet)));
}

/** CTHelpers.getCollectionId without a parent: the hash mapped to a curve point, its x with a bit for the sign of y. */
function collectionId(conditionId: string, indexSet: bigint): string {
  const hashed = BigInt(keccak(conditionId, toWord(indexSet)));
  let x = hashed % FIELD;
  let y = 0n;
  for (let square = -1n; square !== (y * y) % FIELD;) {
    x = (x + 1n) % FIELD;
    square = (((x * x) % FIELD) * x + 3n) % FIELD;
    y = power(square, (FIELD + 1n) / 4n);
  }
  const isOdd = hashed >> 255n !== 0n;
  if ((y % 2n === 1n) !== isOdd) y = FIELD - y;
  return toWord(y % 2n === 1n ? x ^ (1n << 254n) : x);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % FIELD;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % FIELD;
    square = (square * square) % FIELD;
  }
  return result;
}

const MAX_KEPT = 50_000;

/** Returns the tokens of some index sets of a condition, in the same order. */
export type TokenFinder = (collateral: string, conditionId: string, indexSets: readonly bigint[]) => readonly bigint[];

/**
 * Derives tokens and caches the last fifty thousand results: a derivation takes half a millisecond, and busy markets
 * recur. The cache only ever contains derivable values.
 */
export function tokenFinder(): TokenFinder {
  const known = new Map<string, readonly bigint[]>();
  return (collateral, conditionId, indexSets) => {
    const key = `${collateral}${conditionId}${indexSets.join(",")}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const derived = indexSets.map((indexSet) => positionId(collateral, conditionId, indexSet));
    if (known.size >= MAX_KEPT) known.clear();
    known.set(key, derived);
    return derived;
  };
}
