/**
 * Fills 32 bytes with a hash-like mix of (seed, kind, number): deterministic and stateless. `length` may be less (20
 * for addresses).
 */
export function mixHash(
  target: Uint8Array,
  offset: number,
  seed: number,
  kind: number,
  number: number,
  length: number = 32,
): void {
  const low = number | 0;
  const high = Math.floor(number / 0x1_0000_0000) | 0;
  let h = Math.imul(seed ^ 0x2545f491, 0x9e3779b1) ^ Math.imul(kind + 0x7f4a7c15, 0x85ebca6b);
  h = Math.imul(h ^ low ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ high ^ (h >>> 12), 0x297a2d39);
  let g = Math.imul(low ^ 0x5bd1e995, 0xc2b2ae35) ^ h;
  for (let i = 0; i < length; i += 4) {
    h = (h + 0x9e3779b9) | 0;
    g = (g + h) | 0;
    let z = g ^ (g >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    z ^= z >>> 15;
    g ^= z << 7;
    target[offset + i] = z;
    target[offset + i + 1] = z >>> 8;
    target[offset + i + 2] = z >>> 16;
    target[offset + i + 3] = z >>> 24;
  }
}

/** Domain of a hash, so that equal numbers of different kinds hash differently. */
export const HASH_KIND = {
  tx: 1,
  order: 2,
  wallet: 3,
  question: 4,
  block: 5,
  book: 6,
  trade: 7,
  market: 8,
  post: 9,
  neg_risk_market: 10,
  income: 11,
  record: 12,
} as const;

/** The same as 0x-hex. */
export function mixHex(seed: number, kind: number, number: number, length: number = 32): `0x${string}` {
  const bytes = Buffer.allocUnsafe(length);
  mixHash(bytes, 0, seed, kind, number, length);
  return `0x${bytes.toString("hex")}`;
}
