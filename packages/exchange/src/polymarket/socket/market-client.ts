import type { WebSocket } from "ws";

/** One connection to the market channel. */
export interface MarketClient {
  readonly assets: Set<string>;
  /** Whether the client requested best_bid_ask, new_market and market_resolved. */
  custom: boolean;
  send(text: string): void;
}

/**
 * A client that is closed with 1013 when more than `maxBytes` are buffered for it: the real server does not wait for
 * slow readers either.
 */
export function marketClient(socket: WebSocket, maxBytes: number): MarketClient {
  return {
    assets: new Set(),
    custom: false,
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > maxBytes) return socket.close(1013, "send buffer full");
      socket.send(text);
    },
  };
}
