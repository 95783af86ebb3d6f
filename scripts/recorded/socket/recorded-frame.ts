import type { RecordedMessage } from "../../../packages/exchange/src/record/recorded-message.ts";
import { sideText } from "../book-text.ts";

type Levels = readonly { readonly price: string; readonly size: string }[];
type Message = {
  readonly event_type: "book" | "price_change" | "last_trade_price";
  readonly asset_id: string;
  readonly timestamp: string;
  readonly hash: string;
  readonly price: string;
  readonly size: string;
  readonly side: string;
  readonly bids: Levels;
  readonly asks: Levels;
  readonly price_changes?: readonly { readonly asset_id: string; readonly hash: string }[];
};

export type Source = RecordedMessage["source"];

/** What one recorded message says of one token, and the key its answered row must have. */
export type Said = { readonly kind: "print" | "book" | "change"; readonly token: string; readonly key: string };

export function saidOf(frame: string): readonly Said[] {
  const parsed = JSON.parse(frame) as Message | Message[];
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap(saidBy);
}

function saidBy(message: Message): Said[] {
  const { asset_id: token, timestamp, hash, bids, asks } = message;
  if (message.event_type === "last_trade_price") {
    return [{ kind: "print", token, key: printKey(token, timestamp, message.side, message.price, message.size) }];
  }
  if (message.event_type === "book") {
    return [
      { kind: "book", token, key: bookKey(eventKey(token, timestamp, hash), `${sideText(bids)} / ${sideText(asks)}`) },
    ];
  }
  // The form since September 2025 may tell of both tokens of a market: a change each, the last hash is the book's.
  const changed = new Map(
    (message.price_changes ?? [{ asset_id: token, hash }]).map((each) => [each.asset_id, each.hash]),
  );
  return [...changed].map(([one, its]) => ({ kind: "change", token: one, key: eventKey(one, timestamp, its) }));
}

export function printKey(token: string, ms: unknown, side: unknown, price: unknown, size: unknown): string {
  return `${token} ${String(ms)} ${String(side)} ${Number(price)} ${Number(size)}`;
}

export function eventKey(token: string, ms: unknown, hash: unknown): string {
  return `${token} ${String(ms)} ${String(hash)}`;
}

export function bookKey(event: string, sides: string): string {
  return `${event} ${sides}`;
}
