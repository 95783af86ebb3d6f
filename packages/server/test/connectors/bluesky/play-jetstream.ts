import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import type { Event } from "./event-frames.ts";

/** A Jetstream that keeps what it told: who asks with a cursor gets all since, then what comes. */
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
    /** Tells and keeps. */
    report: (...events: readonly Event[]) => {
      reported.push(...events);
      for (const socket of isMute ? [] : open) for (const event of events) socket.send(JSON.stringify(event));
    },
    /** Sends what it does not keep. */
    send: (text: string) => {
      for (const socket of open) socket.send(text);
    },
    /** Lets go of what is older than a moment (Unix ms). */
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
