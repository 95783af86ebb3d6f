import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import type { Event } from "./event-frames.ts";

/** A fake Jetstream that keeps its events: a client with a cursor gets all events since it, then new ones. */
export async function playJetstream() {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await new Promise((resolve) => server.once("listening", resolve));
  const reported: Event[] = [];
  const requested: URLSearchParams[] = [];
  const open = new Set<WebSocket>();
  let isMute = false;
  server.on("connection", (socket, request) => {
    const query = new URL(request.url ?? "", "ws://play").searchParams;
    requested.push(query);
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    if (isMute) return;
    const cursor = Number(query.get("cursor") ?? Number.POSITIVE_INFINITY);
    for (const event of reported) if (event.time_us >= cursor) socket.send(JSON.stringify(event));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/subscribe`,
    requested,
    /** Sends events and keeps them. */
    report: (...events: readonly Event[]) => {
      reported.push(...events);
      for (const socket of isMute ? [] : open) for (const event of events) socket.send(JSON.stringify(event));
    },
    /** Sends a text without keeping it. */
    send: (text: string) => {
      for (const socket of open) socket.send(text);
    },
    /** Drops kept events older than a timestamp (Unix ms). */
    forget: (before: number) => {
      reported.splice(0, reported.length, ...reported.filter(({ time_us: at }) => at >= before * 1000));
    },
    cut: () => {
      for (const socket of open) socket.terminate();
    },
    mute: (muted: boolean) => {
      isMute = muted;
    },
    listeners: () => open.size,
    close: async () => {
      for (const socket of open) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
