import type { KeyObject } from "node:crypto";
import { type WebSocket, WebSocketServer } from "ws";
import { followClients } from "../../mount-socket.ts";
import { verifySignature } from "../access/api-access.ts";
import type { KalshiContext } from "../tiers.ts";
import { UNSIGNED } from "../kalshi-error.ts";
import { KalshiSession } from "./session.ts";

const FRAME_BYTES = 1024 * 1024;

interface KalshiSocketOptions {
  context: KalshiContext;
  /** Public keys by key id. */
  keys: ReadonlyMap<string, KeyObject>;
  /** Real time, ms, compared with the signature's timestamp. */
  wall: () => number;
  /** Interval between pings, ms. */
  heartbeat_ms: number;
}

/**
 * The websocket of the Kalshi endpoint, to be mounted with `mountSocket`. It listens to the world only while a client
 * is connected.
 */
export function kalshiSocket({ context, keys, wall, heartbeat_ms }: KalshiSocketOptions): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES,
    verifyClient: ({ req }, done) => {
      const signed = { method: "GET", url: req.url ?? "", headers: req.headers };
      if (verifySignature(signed, keys, wall()) !== undefined) done(true);
      else done(false, UNSIGNED.status, JSON.stringify(UNSIGNED.body()), { "Content-Type": "application/json" });
    },
  });
  const open = (socket: WebSocket): KalshiSession => {
    const session = new KalshiSession(context, socket);
    socket.on("message", (data, binary) => {
      if (!binary) session.receive(String(data));
    });
    return session;
  };
  followClients(server, open, (sessions) => {
    const heartbeat = setInterval(() => {
      for (const socket of server.clients) socket.ping("heartbeat");
    }, heartbeat_ms);
    const leave = context.world.on((happening) => {
      for (const session of sessions) session.forward(happening);
    });
    return () => {
      clearInterval(heartbeat);
      leave();
    };
  });
  return server;
}
