import { HASH_KIND, mixHash } from "../core/mix-hash.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** RFC 4648 base32 in lower case, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += LETTERS[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + LETTERS[(held << (5 - bits)) & 31];
}

/** A CIDv1 (dag-cbor, sha-256) as in Bluesky records; its digest is random, not computed from content. */
export function toCid(seed: number, number: number): string {
  const bytes = new Uint8Array(36);
  bytes.set([0x01, 0x71, 0x12, 0x20]);
  mixHash(bytes, 4, seed, HASH_KIND.record, number);
  return `b${base32(bytes)}`;
}

const SORTED_LETTERS = "234567abcdefghijklmnopqrstuvwxyz";

/** A Bluesky record key: microseconds and ten bits of a clock id, thirteen letters that sort by time. */
export function toTid(us: number, clock: number): string {
  let left = (BigInt(us) << 10n) | BigInt(clock & 1023);
  let text = "";
  for (let place = 0; place < 13; place += 1) {
    text = SORTED_LETTERS[Number(left & 31n)] + text;
    left >>= 5n;
  }
  return text;
}
