import type { WebSocket } from "ws";
import type { ActivityFrame } from "./activity-frames.ts";
import type { Subscription } from "./read-subscriptions.ts";

const TYPES = ["trades", "orders_matched"];
const named = (type: string): string[] => (type === "*" ? TYPES : [type]);

/** One connection to RTDS. */
export interface RtdsClient {
  ping(): void;
  subscribe(wanted: Subscription): void;
  unsubscribe(wanted: Subscription): void;
  tell(frame: ActivityFrame): void;
}

/**
 * A client that hears nothing more once it has not sent PING for `silentAfterMs`, without being closed, and is cut off
 * with 1013 when more than `mostBytes` wait for it. It has one filter of a topic: the last one asked for.
 */
export function rtdsClient(
  socket: WebSocket,
  id: string,
  options: { wall: () => number; silentAfterMs: number; mostBytes: number },
): RtdsClient {
  const types = new Set<string>();
  let filter: Pick<Subscription, "event_slug" | "market_slug"> = { event_slug: undefined, market_slug: undefined };
  let heardAt = options.wall();
  const isWanted = (frame: ActivityFrame): boolean =>
    types.has(frame.type) &&
    (filter.event_slug === undefined || filter.event_slug === frame.event_slug) &&
    (filter.market_slug === undefined || filter.market_slug === frame.market_slug);
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > options.mostBytes) return socket.close(1013, "send buffer full");
    socket.send(text);
  };
  // The first frame is an empty text, and so is the answer to PING.
  send("");
  return {
    ping() {
      // Once it has gone silent a client stays so, whatever it sends.
      if (options.wall() - heardAt <= options.silentAfterMs) heardAt = options.wall();
      send("");
    },
    subscribe(wanted) {
      if (wanted.topic !== "activity") return;
      for (const type of named(wanted.type)) types.add(type);
      filter = wanted;
    },
    unsubscribe(wanted) {
      if (wanted.topic === "activity") for (const type of named(wanted.type)) types.delete(type);
    },
    tell(frame) {
      if (!isWanted(frame) || options.wall() - heardAt > options.silentAfterMs) return;
      send(JSON.stringify({ connection_id: id, ...frame.body }));
    },
  };
}
