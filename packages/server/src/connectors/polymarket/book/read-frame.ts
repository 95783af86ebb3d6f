import { z } from "zod";
import {
  type BookMessage,
  type Listed,
  marketMessageWire,
  type PriceChange,
  type Print,
  type Tick,
} from "./market-frame-wire.ts";

export type MarketMessage =
  | { readonly kind: "book"; readonly message: BookMessage }
  | { readonly kind: "price_change"; readonly message: PriceChange }
  | { readonly kind: "last_trade_price"; readonly message: Print }
  | { readonly kind: "tick_size_change"; readonly message: Tick }
  | { readonly kind: "new_market"; readonly message: Listed };

const MOST_MESSAGES = 2000;
const messagesWire = z.array(z.looseObject({ event_type: z.string() })).max(MOST_MESSAGES);

/** JSON from text; what is not JSON is a wrong shape like any other. */
const frameWire = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "Expected a JSON frame" });
    return z.NEVER;
  }
});

/**
 * The messages of one frame: an object, or an array of them (the first dump). PONG and the empty frame hold none.
 * best_bid_ask, market_resolved and kinds we do not know are passed over. Throws ZodError for a wrong shape.
 */
export function readFrame(frame: string): readonly MarketMessage[] {
  const text = frame.trim();
  if (text === "" || text === "PONG" || text === "PING") return [];
  const parsed = frameWire.parse(text);
  const list = messagesWire.parse(Array.isArray(parsed) ? parsed : [parsed]);
  return list.flatMap((item) => {
    const read = readMessage(item.event_type, item);
    return read === undefined ? [] : [read];
  });
}

function readMessage(kind: string, message: unknown): MarketMessage | undefined {
  switch (kind) {
    case "book":
      return { kind, message: marketMessageWire.book.parse(message) };
    case "price_change":
      return { kind, message: marketMessageWire.price_change.parse(message) };
    case "last_trade_price":
      return { kind, message: marketMessageWire.last_trade_price.parse(message) };
    case "tick_size_change":
      return { kind, message: marketMessageWire.tick_size_change.parse(message) };
    case "new_market":
      return { kind, message: marketMessageWire.new_market.parse(message) };
    default:
      return undefined;
  }
}
