import type { Frame } from "./market-frames.ts";
import type { WebSocket } from "ws";

/** Subscriptions of the clients of the market channel. */
export class Audience {
  private readonly clients = new Set<MarketClient>();
  private readonly byAsset = new Map<string, Set<MarketClient>>();

  add(client: MarketClient): void {
    this.clients.add(client);
  }

  remove(client: MarketClient): void {
    this.clients.delete(client);
    this.unsubscribe(client, [...client.assets]);
  }

  subscribe(client: MarketClient, assets: readonly string[]): void {
    for (const asset of assets) {
      client.assets.add(asset);
      const listeners = this.byAsset.get(asset) ?? new Set();
      this.byAsset.set(asset, listeners.add(client));
    }
  }

  unsubscribe(client: MarketClient, assets: readonly string[]): void {
    for (const asset of assets) {
      client.assets.delete(asset);
      const listeners = this.byAsset.get(asset);
      listeners?.delete(client);
      if (listeners?.size === 0) this.byAsset.delete(asset);
    }
  }

  hears(asset: string): boolean {
    return this.byAsset.has(asset);
  }

  /** Sends to every client subscribed to one of the assets, once each. */
  publish(assets: readonly string[], frame: () => Frame): void {
    this.send(new Set(assets.flatMap((asset) => [...(this.byAsset.get(asset) ?? [])])), frame);
  }

  /** Sends likewise, but only to clients with custom features. */
  publishCustom(assets: readonly string[], frame: () => Frame): void {
    const listeners = assets.flatMap((asset) => [...(this.byAsset.get(asset) ?? [])]);
    this.send(new Set(listeners.filter((client) => client.custom)), frame);
  }

  /** Sends to every client with custom features, whatever its subscriptions. */
  broadcast(frame: () => Frame): void {
    this.send(new Set([...this.clients].filter((client) => client.custom)), frame);
  }

  private send(clients: ReadonlySet<MarketClient>, frame: () => Frame): void {
    if (clients.size === 0) return;
    const text = JSON.stringify(frame());
    for (const client of clients) client.send(text);
  }
}

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
