import { type WebSocket, WebSocketServer } from "ws";
import { followClients } from "../../mount-socket.ts";
import type { World } from "../../world/world.ts";
import { findOpenToken } from "../clob/book-message.ts";
import { Audience, type MarketClient, marketClient } from "./audience.ts";
import {
  bookFrame,
  bestBidAskFrame,
  lastTradeFrame,
  marketResolvedFrame,
  newMarketFrame,
  priceChangeFrame,
  tickSizeFrame,
} from "./market-frames.ts";
import { readSubscription, type SubscriptionMessage } from "./subscription-message.ts";
import type { BookHappening, Happening, OutcomeIndex } from "../../world/contract.ts";

const outcomes: readonly OutcomeIndex[] = [0, 1];

/** Creates a world listener that sends happenings to an audience as frames of the market channel. */
function publishHappenings(audience: Audience): (happening: Happening) => void {
  const tops = new Map<string, string>();
  let first: BookHappening | undefined;

  const publishBook = (changes: readonly BookHappening[]): void => {
    const tokens = changes.map((change) => change.token_id);
    audience.publish(tokens, () => priceChangeFrame(changes));
    for (const change of changes) {
      if (!audience.hears(change.token_id)) continue;
      const top = `${String(change.best_bid_e4)}:${String(change.best_ask_e4)}`;
      if (tops.get(change.token_id) !== top) audience.publishCustom([change.token_id], () => bestBidAskFrame(change));
      tops.set(change.token_id, top);
      if (change.by_trade) audience.publish([change.token_id], () => bookFrame(change.market, change.outcome));
    }
  };

  return (happening) => {
    if (happening.kind === "book") {
      // A market's two tokens change together and share one message, so the first waits for the second.
      if (happening.outcome === 0) {
        first = happening;
        return;
      }
      publishBook(first?.market === happening.market ? [first, happening] : [happening]);
      first = undefined;
      return;
    }
    if (first !== undefined) publishBook([first]);
    first = undefined;
    switch (happening.kind) {
      case "match":
        return audience.publish([happening.taker.token_id], () => lastTradeFrame(happening));
      case "tick_size":
        for (const outcome of outcomes)
          audience.publish([happening.market.token_ids[outcome]], () => tickSizeFrame(happening, outcome));
        return;
      case "market_created":
        return audience.broadcast(() => newMarketFrame(happening));
      case "market_resolved":
        for (const token of happening.market.token_ids) tops.delete(token);
        return audience.broadcast(() => marketResolvedFrame(happening));
    }
  };
}

/** Settings of the market channel. */
export interface MarketSocketOptions {
  /** Maximum bytes buffered for a slow reader before it is closed with 1013; default 16 MiB. */
  send_buffer_bytes?: number;
}

/** Connections with more assets than this get no initial dump. */
const maxDumped = 500;

/**
 * The market channel `/ws/market`, a server without a port: mount it with `mountSocket`. It listens to the world only
 * while a client is connected. Rules: reference polymarket.md §6.
 */
export function marketSocket(world: World, options: MarketSocketOptions = {}): WebSocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: 4 * 1024 * 1024 });
  const audience = new Audience();
  const maxBytes = options.send_buffer_bytes ?? 16 * 1024 * 1024;
  const open = (socket: WebSocket): MarketClient => {
    const client = marketClient(socket, maxBytes);
    audience.add(client);
    socket.on("message", (data, isBinary) => {
      const text = isBinary ? "" : String(data);
      if (text === "PING") return client.send("PONG");
      const message = readSubscription(text);
      return message === undefined ? client.send("INVALID OPERATION") : follow(world, audience, client, message);
    });
    socket.on("close", () => audience.remove(client));
    return client;
  };
  followClients(server, open, () => world.on(publishHappenings(audience)));
  return server;
}

function follow(world: World, audience: Audience, client: MarketClient, message: SubscriptionMessage): void {
  if (message.custom_feature_enabled !== undefined) client.custom = message.custom_feature_enabled;
  if (message.operation === "unsubscribe") return audience.unsubscribe(client, message.assets_ids);
  audience.subscribe(client, message.assets_ids);
  if (!message.initial_dump || client.assets.size > maxDumped) return;
  const books = message.assets_ids.flatMap((asset) => {
    const token = findOpenToken(world, asset);
    return token === undefined ? [] : [bookFrame(token.market, token.outcome)];
  });
  if (books.length > 0) client.send(JSON.stringify(books));
}
