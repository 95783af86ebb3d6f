import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

/** Forwards a websocket frame by frame; `fate` decides what happens to the n-th frame from upstream. */
export async function lossyProxy(upstream: string, fate: (frame: number) => "pass" | "drop" | "twice" | "cut") {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const count = { frames: 0, drop: 0, twice: 0, cut: 0, pass: 0, connections: 0 };
  server.on("connection", (client, request) => {
    count.connections += 1;
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => name.startsWith("kalshi-access-")),
    ) as Record<string, string>;
    const venue = new WebSocket(upstream, { headers });
    const waiting: string[] = [];
    venue.on("open", () => waiting.splice(0).forEach((text) => venue.send(text)));
    client.on("message", (data) => {
      if (venue.readyState === WebSocket.OPEN) venue.send(String(data));
      else waiting.push(String(data));
    });
    venue.on("message", (data) => {
      count.frames += 1;
      const what = fate(count.frames);
      count[what] += 1;
      if (what === "cut") client.terminate();
      if (what !== "drop") client.send(String(data));
      if (what === "twice") client.send(String(data));
    });
    client.on("close", () => venue.terminate());
    venue.on("error", () => client.terminate());
    venue.on("close", () => client.close());
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/trade-api/ws/v2`,
    count,
    close: () => {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}
