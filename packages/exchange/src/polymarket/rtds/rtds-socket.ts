import { WebSocketServer, type WebSocket } from "ws";
import type { World } from "../../world/world.ts";
import { followClients } from "../../mount-socket.ts";
import { isWithheld } from "./is-withheld.ts";
import { z } from "zod";
import { readJson } from "../../faults/json-object.ts";
import { getAddress } from "viem/utils";
import type { MatchHappening } from "../../world/contract.ts";
import { camelTradeRow, tradeLegs, type TradeLeg } from "../data/leg-row.ts";

/** The types of the topic `activity`. */
type ActivityType = "trades" | "orders_matched";

/** A message of the topic `activity`: the row of one leg, and when it is sent (world ms). */
interface ActivityFrame {
  type: ActivityType;
  sent_ms: number;
  /** Without `connection_id`, which differs by client. */
  body: Record<string, unknown>;
}

/** After the match, in world ms: medians of reference polymarket.md §5.1. */
const sentAfter: Readonly<Record<ActivityType, number>> = { orders_matched: 1900, trades: 2100 };

/** All that RTDS tells of a match, in the order it is sent: the taker's order, then a row of every leg. */
function activityFrames(world: World, match: MatchHappening): ActivityFrame[] {
  const matched = tradeLegs(match, true).map((leg) => toFrame(world, leg, "orders_matched"));
  const trades = tradeLegs(match, false).map((leg) => toFrame(world, leg, "trades"));
  return [...matched, ...trades];
}

function toFrame(world: World, leg: TradeLeg, type: ActivityType): ActivityFrame {
  const { match } = leg;
  const sent_ms = match.ms + sentAfter[type];
  const row = camelTradeRow(world, leg);
  const payload = { ...row, proxyWallet: getAddress(leg.leg.wallet), timestamp: leg.timestamp - secondsEarly(match) };
  return {
    type,
    sent_ms,
    body: { payload, timestamp: sent_ms, topic: "activity", type },
  };
}

/** How much earlier than its block a message says a trade was: usually one second, at times none or two. */
function secondsEarly({ tx_hash }: MatchHappening): number {
  const byte = Number.parseInt(tx_hash.slice(-2), 16);
  if (byte < 24) return 0;
  return byte < 34 ? 2 : 1;
}

/** What a client may send besides PING. Filters and unsubscribing are not simulated. */
const subscribing = z.strictObject({
  action: z.literal("subscribe"),
  subscriptions: z
    .array(z.strictObject({ topic: z.literal("activity"), type: z.enum(["*", "trades", "orders_matched"]) }))
    .max(100),
});

/** One connection to RTDS. */
interface RtdsClient {
  ping(): void;
  /** `*` is every type. */
  subscribe(type: ActivityType | "*"): void;
  tell(frame: ActivityFrame): void;
}

/**
 * A client that hears nothing more once it has not sent PING for `silentAfterMs`, without being closed, and is cut off
 * with 1013 when more than `mostBytes` wait for it.
 */
function rtdsClient(
  socket: WebSocket,
  id: string,
  options: { wall: () => number; silentAfterMs: number; mostBytes: number },
): RtdsClient {
  const types = new Set<string>();
  let heardAt = options.wall();
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
    subscribe: (type) => void types.add(type),
    tell(frame) {
      const isWanted = types.has("*") || types.has(frame.type);
      if (!isWanted || options.wall() - heardAt > options.silentAfterMs) return;
      send(JSON.stringify({ connection_id: id, ...frame.body }));
    },
  };
}

/** Settings of RTDS. */
export interface RtdsOptions {
  /** Transactions of a thousand that are never told; default 3, the measured share. */
  missing_per_mille?: number;
  /** Without a PING for so long by `wall` a client hears nothing more; default six minutes. */
  silent_after_ms?: number;
  /** Real time, ms. */
  wall?: () => number;
}

/** How often what is due is sent while nothing happens, real ms. */
const everyMs = 50;

/**
 * The real-time data socket, topic `activity`: a server without a port, to be mounted with `mountSocket`. It replays
 * nothing. Rules: reference polymarket.md §7.
 */
export function rtdsSocket(world: World, options: RtdsOptions = {}): WebSocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: 256 * 1024 });
  const pace = {
    wall: options.wall ?? Date.now,
    silentAfterMs: options.silent_after_ms ?? 360_000,
    mostBytes: 16 * 1024 * 1024,
  };
  let connections = 0;
  const open = (socket: WebSocket): RtdsClient => {
    connections += 1;
    const client = rtdsClient(socket, `paper-${connections}`, pace);
    socket.on("message", (data, isBinary) => hear(client, isBinary ? "" : String(data)));
    return client;
  };
  followClients(server, open, (clients) => tellMatches(world, clients, options.missing_per_mille ?? 3));
  return server;
}

/** What the real server answers to a frame it does not understand is not known: nothing is. */
function hear(client: RtdsClient, text: string): void {
  if (text === "PING") return client.ping();
  const message = subscribing.safeParse(readJson(text));
  for (const { type } of message.data?.subscriptions ?? []) client.subscribe(type);
}

/** Tells clients of matches as world time gets to the moment each message is sent at. Returns what ends it. */
function tellMatches(world: World, clients: ReadonlySet<RtdsClient>, perMille: number): () => void {
  // Matches come in order of time and each type is sent so long after its match: a queue a type is in order too.
  const queues: Record<ActivityType, ActivityFrame[]> = { orders_matched: [], trades: [] };
  const send = (now: number): void => {
    for (const waiting of Object.values(queues)) {
      for (let first = waiting[0]; first !== undefined && first.sent_ms <= now; first = waiting[0]) {
        waiting.shift();
        for (const client of clients) client.tell(first);
      }
    }
  };
  const stop = world.on((happening) => {
    send(happening.ms);
    if (happening.kind !== "match" || isWithheld(world.seed, happening.tx_hash, perMille)) return;
    for (const frame of activityFrames(world, happening)) queues[frame.type].push(frame);
  });
  const timer = setInterval(() => send(world.now()), everyMs);
  timer.unref();
  return () => {
    stop();
    clearInterval(timer);
  };
}
