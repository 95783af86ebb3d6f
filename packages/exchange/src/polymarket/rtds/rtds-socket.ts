import { WebSocketServer, type WebSocket } from "ws";
import type { World } from "../../world/world.ts";
import { followClients } from "../../mount-socket.ts";
import { z } from "zod";
import { readJson } from "../../faults/json-object.ts";
import { getAddress } from "viem/utils";
import type { MatchHappening } from "../../world/contract.ts";
import { camelTradeRow, tradeLegs, type TradeLeg } from "../data/leg-row.ts";
import { createHash } from "node:crypto";

/** The message types of the topic `activity`. */
type ActivityType = "trades" | "orders_matched";

/** A message of the topic `activity`: the row of one leg, and when it is sent (world ms). */
interface ActivityFrame {
  type: ActivityType;
  sent_ms: number;
  /** Without `connection_id`, which differs by client. */
  body: Record<string, unknown>;
}

/** Delays after the match, in world ms: medians of reference polymarket.md §5.1. */
const sentAfter: Readonly<Record<ActivityType, number>> = { orders_matched: 1900, trades: 2100 };

/** Returns all RTDS messages of a match, in the order sent: the taker's order, then a row of every leg. */
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

/** By how many seconds a message's trade time precedes the block: usually one, sometimes zero or two. */
function secondsEarly({ tx_hash }: MatchHappening): number {
  const byte = Number.parseInt(tx_hash.slice(-2), 16);
  if (byte < 24) return 0;
  return byte < 34 ? 2 : 1;
}

/** Messages a client may send besides PING. Filters and unsubscribing are not simulated. */
const subscribing = z.strictObject({
  action: z.literal("subscribe"),
  subscriptions: z
    .array(z.strictObject({ topic: z.literal("activity"), type: z.enum(["*", "trades", "orders_matched"]) }))
    .max(100),
});

/** One connection to RTDS. */
interface RtdsClient {
  ping(): void;
  /** `*` subscribes to every type. */
  subscribe(type: ActivityType | "*"): void;
  publish(frame: ActivityFrame): void;
}

/**
 * A client that receives nothing more once it has not sent PING for `silentAfterMs`, though its connection stays open,
 * and is closed with 1013 when more than `maxBytes` are buffered for it.
 */
function rtdsClient(
  socket: WebSocket,
  id: string,
  options: { wall: () => number; silentAfterMs: number; maxBytes: number },
): RtdsClient {
  const types = new Set<string>();
  let receivedAt = options.wall();
  const send = (text: string): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > options.maxBytes) return socket.close(1013, "send buffer full");
    socket.send(text);
  };
  // The first frame is an empty text, and so is the reply to PING.
  send("");
  return {
    ping() {
      // Once silent, a client stays silent whatever it sends.
      if (options.wall() - receivedAt <= options.silentAfterMs) receivedAt = options.wall();
      send("");
    },
    subscribe: (type) => void types.add(type),
    publish(frame) {
      const isWanted = types.has("*") || types.has(frame.type);
      if (!isWanted || options.wall() - receivedAt > options.silentAfterMs) return;
      send(JSON.stringify({ connection_id: id, ...frame.body }));
    },
  };
}

/** Settings of RTDS. */
export interface RtdsOptions {
  /** Transactions per thousand that are never sent; default 3, the measured share. */
  missing_per_mille?: number;
  /** Time without a PING, by `wall`, after which a client receives nothing more; default six minutes. */
  silent_after_ms?: number;
  /** Real time, ms. */
  wall?: () => number;
}

/** Interval for sending due messages while nothing happens, real ms. */
const everyMs = 50;

/**
 * The real-time data socket, topic `activity`: a server without a port, to be mounted with `mountSocket`. It has no
 * replay. Rules: reference polymarket.md §7.
 */
export function rtdsSocket(world: World, options: RtdsOptions = {}): WebSocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: 256 * 1024 });
  const pace = {
    wall: options.wall ?? Date.now,
    silentAfterMs: options.silent_after_ms ?? 360_000,
    maxBytes: 16 * 1024 * 1024,
  };
  let connections = 0;
  const open = (socket: WebSocket): RtdsClient => {
    connections += 1;
    const client = rtdsClient(socket, `paper-${connections}`, pace);
    socket.on("message", (data, isBinary) => receive(client, isBinary ? "" : String(data)));
    return client;
  };
  followClients(server, open, (clients) => publishMatches(world, clients, options.missing_per_mille ?? 3));
  return server;
}

/** Ignores frames it does not understand, because the real server's reply to them is unknown. */
function receive(client: RtdsClient, text: string): void {
  if (text === "PING") return client.ping();
  const message = subscribing.safeParse(readJson(text));
  for (const { type } of message.data?.subscriptions ?? []) client.subscribe(type);
}

/** Sends clients each match message when world time reaches its send time. Returns the function that stops it. */
function publishMatches(world: World, clients: ReadonlySet<RtdsClient>, perMille: number): () => void {
  // Matches arrive in time order and each type has a fixed delay, so one queue per type stays in order.
  const queues: Record<ActivityType, ActivityFrame[]> = { orders_matched: [], trades: [] };
  const send = (now: number): void => {
    for (const waiting of Object.values(queues)) {
      for (let first = waiting[0]; first !== undefined && first.sent_ms <= now; first = waiting[0]) {
        waiting.shift();
        for (const client of clients) client.publish(first);
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

/** Whether RTDS never sends a transaction: `perMille` per thousand, the same ones in every run of a seed. */
export function isWithheld(seed: number, txHash: string, perMille: number): boolean {
  const digest = createHash("sha256").update(`rtds|${seed}|${txHash}`).digest();
  return digest.readUInt32BE(0) % 1000 < perMille;
}
