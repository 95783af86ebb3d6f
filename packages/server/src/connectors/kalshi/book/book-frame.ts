import { z } from "zod";
import { amount, dollars, name } from "../wire/kinds.ts";

const sequence = { sid: z.int(), seq: z.int().min(0), sending_ts_ms: z.int().positive().optional() };
const levels = z
  .array(z.tuple([dollars, amount]))
  .max(10_000)
  .nullish();

/** The key of an empty side is missing. With use_yes_price both sides are on the YES scale. */
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
    ts_ms: z.int().positive().optional(),
  }),
});

const subscribed = z.looseObject({
  type: z.literal("subscribed"),
  id: z.int().optional(),
  msg: z.looseObject({ channel: z.string(), sid: z.int() }),
});

/** `ok` and `unsubscribed` count in the sequence of their subscription too. */
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
const envelope = z.looseObject({ type: z.string() });

export type BookFrame = z.output<typeof known>;

/** A frame of the websocket; undefined for a kind we do not follow. Throws a ZodError for a wrong shape. */
export function readBookFrame(text: string): BookFrame | undefined {
  const frame = z.string().transform(toJson).pipe(envelope).parse(text);
  return TYPES.has(frame.type) ? known.parse(frame) : undefined;
}

function toJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "not JSON" });
    return z.NEVER;
  }
}
