import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { z } from "zod";
import { defineSocket, type Host } from "../../src/definition/connector.ts";
import type { Session } from "../../src/definition/session.ts";
import { bookEvents } from "../../src/tables/book-events.ts";

const host = (name: string, setting: string): Host => ({
  name,
  setting,
  share: 1,
  limits: { all: { tokens: 1000, perSeconds: 1 } },
});
const frameWire = z.object({ seq: z.number(), at: z.number() });

const bookRow = (seq: number, at: number, kind: "snapshot" | "change") => ({
  instrument: "A",
  ts: new Date(at).toISOString(),
  seq,
  kind,
  venue: "kalshi",
  bids: [],
  asks: [],
  best_bid: null,
  best_ask: null,
  hash: "",
});

/** One row per frame; states are available immediately. */
function numberedSession(): Session {
  return {
    subscribe: () => ["subscribe"],
    unsubscribe: () => [],
    decode: (text) => {
      const { seq, at } = frameWire.parse(JSON.parse(text));
      return { rows: [{ table: bookEvents, rows: [bookRow(seq, at, "change")] }] };
    },
    adopt: () => ({ rows: [{ table: bookEvents, rows: [bookRow(0, Date.now(), "snapshot")] }] }),
  };
}

/** A stream of numbered frames over a socket. */
export const numberedSocket = defineSocket({
  name: "numbered-frames",
  title: "Numbered frames",
  venue: "kalshi",
  host: host("frames-ws", "FRAMES_WS_URL"),
  path: "/ws",
  tables: [bookEvents],
  instruments: ["A"],
  maxInstrumentsPerSocket: 10,
  silentAfterSeconds: 60,
  session: numberedSession,
  resyncHost: host("frames", "FRAMES_URL"),
  async *resync(_feed, instruments) {
    for (const instrument of instruments) {
      await Promise.resolve();
      yield { instrument, state: {} };
    }
  },
});

/** Sends numbered frames to the connected socket, and records when each was created. */
export async function openNumberedVenue() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const sockets: WebSocket[] = [];
  const subscribed = new Set<WebSocket>();
  const madeAt: number[] = [];
  server.on("connection", (socket) => {
    sockets.push(socket);
    socket.once("message", () => subscribed.add(socket));
    socket.once("close", () => subscribed.delete(socket));
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { FRAMES_WS_URL: url, FRAMES_URL: url.replace("ws", "http") },
    sockets,
    /** Whether only the latest connection is open and subscribed, so that no frame is lost now. */
    isReceived: (): boolean => {
      const last = sockets.at(-1);
      return last?.readyState === last?.OPEN && subscribed.size === 1 && [...subscribed][0] === last;
    },
    /** Creation time (Unix ms) of each frame by its number. */
    madeAt,
    /** Creates frames; they are lost without a connection. */
    send: (count: number): void => {
      for (let made = 0; made < count; made += 1) {
        const frame = JSON.stringify({ seq: madeAt.length, at: Date.now() });
        madeAt.push(Date.now());
        const socket = sockets.at(-1);
        if (socket?.readyState === socket?.OPEN) socket?.send(frame);
      }
    },
    close: (): void => {
      for (const socket of sockets) socket.terminate();
      server.close();
    },
  };
}
