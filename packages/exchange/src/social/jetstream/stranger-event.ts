import { HASH_KIND, mixHash } from "../../world/core/mix-hash.ts";
import { base32 } from "../../world/social/base32.ts";
import { toCid } from "../../world/social/to-cid.ts";
import { toTid } from "../../world/social/to-tid.ts";
import { type JetstreamEvent, toEvent } from "./jetstream-event.ts";
import { POST_COLLECTION } from "./to-record.ts";

/** First number of what strangers are drawn from, far from the world's own. */
const FIRST = 0x8000_0000;

/**
 * What somebody outside the world does: a like of a post nobody knows, or another handle. The real stream never rests,
 * and that something came after is what shows that nothing before it is missing.
 */
export function strangerEvent(seed: number, number: number, time_us: number): JetstreamEvent {
  const did = strangerDid(seed, number);
  const time = new Date(Math.floor(time_us / 1000)).toISOString();
  if (number % 2 === 0) {
    const identity = { did, handle: `stranger${number}.example`, seq: number, time };
    return toEvent(time_us, did, { kind: "identity", identity });
  }
  const uri = `at://${strangerDid(seed, number + FIRST)}/${POST_COLLECTION}/${toTid(time_us - 60_000_000, number)}`;
  const subject = { cid: toCid(seed, FIRST + number), uri };
  const record = { $type: "app.bsky.feed.like", subject, createdAt: time };
  const keys = { rev: toTid(time_us, number), rkey: toTid(time_us, number), cid: toCid(seed, 2 * FIRST + number) };
  const commit = { operation: "create" as const, collection: "app.bsky.feed.like", ...keys, record };
  return toEvent(time_us, did, { kind: "commit", commit });
}

function strangerDid(seed: number, number: number): string {
  const bytes = new Uint8Array(15);
  mixHash(bytes.subarray(0, 12), 0, seed, HASH_KIND.record, FIRST * 4 + number, 12);
  return `did:plc:${base32(bytes)}`;
}
