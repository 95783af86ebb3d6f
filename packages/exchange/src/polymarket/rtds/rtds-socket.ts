import { WebSocketServer } from "ws";
import type { World } from "../../world/world.ts";
import { activityFrames, type ActivityFrame, type ActivityType } from "./activity-frames.ts";
import { isWithheld } from "./is-withheld.ts";
import { readSubscriptions } from "./read-subscriptions.ts";
import { type RtdsClient, rtdsClient } from "./rtds-client.ts";

/** Settings of RTDS. */
export interface RtdsOptions {
  /** Transactions of a thousand that are never told; default 3, the measured share. */
  missing_per_mille?: number;
  /** Without a PING for so long by `wall` a client hears nothing more; default six minutes. */
  silent_after_ms?: number;
  /** Real time, ms. */
  wall?: () => number;
  /** Bytes that may wait for a slow reader before it is cut off with 1013; default 16 MiB. */
  send_buffer_bytes?: number;
}

/** How often what is due is sent while nothing happens, real ms. */
const everyMs = 50;

/**
 * The real-time data socket, topic `activity`: a server without a port, to be mounted with `mountSocket`. It replays
 * nothing. Rules: reference polymarket.md §7.
 */
export function rtdsSocket(world: World, options: RtdsOptions = {}): WebSocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: 256 * 1024 });
  const clients = new Set<RtdsClient>();
  const pace = {
    wall: options.wall ?? Date.now,
    silentAfterMs: options.silent_after_ms ?? 360_000,
    mostBytes: options.send_buffer_bytes ?? 16 * 1024 * 1024,
  };
  let connections = 0;
  let leave: (() => void) | undefined;
  server.on("connection", (socket) => {
    connections += 1;
    const client = rtdsClient(socket, `paper-${connections}`, pace);
    clients.add(client);
    leave ??= tellMatches(world, clients, options.missing_per_mille ?? 3);
    socket.on("message", (data, isBinary) => hear(client, isBinary ? "" : String(data)));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clients.delete(client);
      if (clients.size > 0) return;
      leave?.();
      leave = undefined;
    });
  });
  return server;
}

/** What the real server answers to a frame it does not understand is not known: nothing is. */
function hear(client: RtdsClient, text: string): void {
  if (text === "PING") return client.ping();
  const message = readSubscriptions(text);
  for (const wanted of message?.subscriptions ?? []) {
    if (message?.action === "unsubscribe") client.unsubscribe(wanted);
    else client.subscribe(wanted);
  }
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
