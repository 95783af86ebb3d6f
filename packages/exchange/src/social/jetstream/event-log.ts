import type { World } from "../../world/world.ts";
import { eventOf, type JetstreamEvent, toEvent } from "./jetstream-event.ts";
import { firstIndex } from "../../world/first-index.ts";
import { HASH_KIND, mixHash } from "../../world/core/mix-hash.ts";
import { base32, toCid, toTid } from "../../world/social/record-ids.ts";
import { POST_COLLECTION } from "./to-record.ts";

/** First seed number for outside accounts, far from the world's own numbers. */
const FIRST = 0x8000_0000;

/**
 * An event of an account outside the world: a like of an unknown post, or a new handle. The real stream is never idle,
 * and a later event is what proves that nothing before it is missing.
 */
function strangerEvent(seed: number, number: number, time_us: number): JetstreamEvent {
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

/** How far back events can be replayed, world time. */
const KEPT_US = 24 * 3_600_000_000;
const MAX_EVENTS = 2_000_000;
/** Old events are removed in batches of at least this many. */
const STALE = 5000;

const timestampOf = ({ time_us }: JetstreamEvent): number => time_us;

/** The part of the world that the log reads. */
export type TalkingWorld = Pick<World, "talk" | "reached" | "seed">;

/**
 * The events of the last day, oldest first, `time_us` strictly increasing. Positions count from the first event ever
 * stored.
 */
export class EventLog {
  private readonly world: TalkingWorld;
  private readonly events: JetstreamEvent[] = [];
  private first = 0;
  private taken: number;
  private strangers = 0;

  constructor(world: TalkingWorld) {
    this.world = world;
    this.taken = firstIndex(world.talk, this.oldest(), ({ us }) => us);
  }

  /** Position after the newest event. */
  get end(): number {
    return this.first + this.events.length;
  }

  /** Returns the event at a position; undefined if it is expired or not there yet. */
  at(place: number): JetstreamEvent | undefined {
    return this.events[place - this.first];
  }

  /** Position of the first event at or after a time, or of the oldest stored event if that is later. */
  placeOf(us: number): number {
    const from = Math.max(us, this.oldest());
    return this.first + firstIndex(this.events, from, timestampOf);
  }

  /** Position of the oldest stored event. */
  get start(): number {
    return this.first;
  }

  /** Ingests the happenings since the last call. */
  take(): void {
    const { talk } = this.world;
    for (; this.taken < talk.length; this.taken += 1) {
      const happening = talk[this.taken];
      const event = happening && eventOf(happening, Math.max(happening.us, this.next()));
      if (event !== undefined) this.events.push(event);
    }
    this.forget();
  }

  /** Adds an event of an outside account, after all past and before all future events of the world. */
  addStranger(): void {
    this.take();
    const us = Math.max(this.world.reached() * 1000 + 1, this.next());
    this.events.push(strangerEvent(this.world.seed, this.strangers, us));
    this.strangers += 1;
  }

  private next(): number {
    return (this.events.at(-1)?.time_us ?? 0) + 1;
  }

  private oldest(): number {
    return this.world.reached() * 1000 - KEPT_US;
  }

  private forget(): void {
    const oldest = this.oldest();
    const old = firstIndex(this.events, oldest, timestampOf);
    const many = Math.max(old, this.events.length - MAX_EVENTS);
    if (many < STALE) return;
    this.events.splice(0, many);
    this.first += many;
  }
}
