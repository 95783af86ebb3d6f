import { z } from "zod";
import { listOf, jsonIn } from "../../../definition/upstream-bounds.ts";
import { amount, dollars, millis, name } from "../wire/values.ts";
import type { ReplayedPage } from "../../../definition/connector.ts";

/** After this many old numbers in a row they are not late frames: the venue restarted its count. */
const RESTARTED_AFTER = 100;

/** Checks the sequence numbers of one subscription, which count its frames of every kind, not those of one market. */
export class Sequence {
  #last: number | undefined;
  #stale = 0;

  /** Classifies this number without recording it. */
  look(seq: number): "next" | "stale" | "gap" {
    const last = this.#last;
    if (last !== undefined && seq <= last && this.#stale < RESTARTED_AFTER) return "stale";
    return last === undefined || seq === last + 1 ? "next" : "gap";
  }

  /** Whether the frames before this one were skipped as late, but were the first of a new count. */
  isRestarted(): boolean {
    return this.#stale >= RESTARTED_AFTER;
  }

  take(seq: number): void {
    const isStale = this.look(seq) === "stale";
    this.#stale = isStale ? this.#stale + 1 : 0;
    if (!isStale) this.#last = seq;
  }
}

const sequence = { sid: z.int(), seq: z.int().min(0), sending_ts_ms: millis.optional() };
const levels = listOf(z.tuple([dollars, amount]), 10_000).nullish();

/** The key of an empty side is absent. With use_yes_price both sides are on the YES scale. */
const snapshot = z.looseObject({
  ...sequence,
  type: z.literal("orderbook_snapshot"),
  id: z.int().optional(),
  msg: z.looseObject({ market_ticker: name, yes_dollars_fp: levels, no_dollars_fp: levels }),
});

/** `delta_fp` is a signed change, not a total. */
const delta = z.looseObject({
  ...sequence,
  type: z.literal("orderbook_delta"),
  msg: z.looseObject({
    market_ticker: name,
    price_dollars: dollars,
    delta_fp: amount,
    side: z.enum(["yes", "no"]),
    ts_ms: millis.optional(),
  }),
});

const subscribed = z.looseObject({
  type: z.literal("subscribed"),
  id: z.int().optional(),
  msg: z.looseObject({ channel: z.string(), sid: z.int() }),
});

/** `ok` and `unsubscribed` are also counted in the sequence of their subscription. */
const answered = z.looseObject({
  type: z.enum(["ok", "unsubscribed"]),
  id: z.int().optional(),
  sid: z.int().optional(),
  seq: z.int().optional(),
});

const refused = z.looseObject({
  type: z.literal("error"),
  id: z.int().optional(),
  sid: z.int().optional(),
  msg: z.looseObject({ code: z.int(), msg: z.string().max(10_000).optional() }),
});

const known = z.discriminatedUnion("type", [snapshot, delta, subscribed, answered, refused]);
const TYPES = new Set(["orderbook_snapshot", "orderbook_delta", "subscribed", "ok", "unsubscribed", "error"]);
const envelope = z.looseObject({
  type: z.string(),
  sid: sequence.sid.optional().catch(undefined),
  seq: sequence.seq.optional().catch(undefined),
  msg: z
    .looseObject({ market_ticker: name.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

const frameWire = jsonIn("not JSON, or too large");

export type BookFrame = z.output<typeof known>;

/** The header of a frame, readable even if the rest of it is not. */
export type BookEnvelope = {
  /** Undefined if it cannot be read. */
  readonly sid: number | undefined;
  readonly seq: number | undefined;
  readonly market: string | undefined;
  readonly isOfBook: boolean;
  /** Undefined for a kind we do not use. Throws a ZodError for a wrong shape. */
  readonly read: () => BookFrame | undefined;
};

/** Reads a frame's envelope. Throws a ZodError for anything that is not a frame. */
export function readBookEnvelope(text: string): BookEnvelope {
  const value = frameWire.parse(text);
  const { type, sid, seq, msg } = envelope.parse(value);
  return {
    sid,
    seq,
    market: msg?.market_ticker,
    isOfBook: type === "orderbook_snapshot" || type === "orderbook_delta",
    read: () => (TYPES.has(type) ? known.parse(value) : undefined),
  };
}

/** A frame of the websocket; undefined for a kind we do not use. Throws a ZodError for a wrong shape. */
export function readBookFrame(text: string): BookFrame | undefined {
  return readBookEnvelope(text).read();
}

/** A book frame has no rows without its book, so this throws for one with book changes. */
export function replayBookFrame({ read }: ReplayedPage): [] {
  const frame = readBookFrame(JSON.stringify(read(z.unknown())));
  if (frame?.type !== "orderbook_delta" && frame?.type !== "orderbook_snapshot") return [];
  throw new Error("readable now, but one frame is not enough to derive a book's changes");
}
