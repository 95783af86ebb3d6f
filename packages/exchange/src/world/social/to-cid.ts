import { HASH_KIND, mixHash } from "../core/mix-hash.ts";
import { base32 } from "./base32.ts";

/** A CIDv1 (dag-cbor, sha-256) as in Bluesky records; its digest is random, not computed from content. */
export function toCid(seed: number, number: number): string {
  const bytes = new Uint8Array(36);
  bytes.set([0x01, 0x71, 0x12, 0x20]);
  mixHash(bytes, 4, seed, HASH_KIND.record, number);
  return `b${base32(bytes)}`;
}
