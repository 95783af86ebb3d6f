import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

/** Frames after which a connection is cut, by its place; the last are left alone. */
const CUT_AFTER = [40, 700, 2500] as const;

export type CuttingProxy = {
  /** Where it listens, with the path of what is behind it. */
  readonly url: string;
  readonly cuts: () => number;
  readonly close: () => Promise<void>;
};

/** Stands before a websocket door and cuts its first connections in the middle, without a word. */
export async function openCuttingProxy(upstream: string): Promise<CuttingProxy> {
  const { pathname } = new URL(upstream);
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, path: pathname });
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve).once("error", reject);
  });
  let opened = 0;
  let cuts = 0;
  server.on("connection", (client) => {
    const most = CUT_AFTER[opened] ?? Number.POSITIVE_INFINITY;
    opened += 1;
    join(client, new WebSocket(upstream), most, () => (cuts += 1));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}${pathname}`,
    cuts: () => cuts,
    close: () => {
      for (const client of server.clients) client.terminate();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function join(client: WebSocket, door: WebSocket, most: number, onCut: () => void): void {
  const early: string[] = [];
  let frames = 0;
  door.on("open", () => {
    for (const text of early.splice(0)) door.send(text);
  });
  client.on("message", (data) => {
    if (door.readyState === WebSocket.OPEN) door.send(data.toString());
    else early.push(data.toString());
  });
  door.on("message", (data, binary) => {
    frames += 1;
    if (frames <= most) client.send(data, { binary });
    if (frames !== most) return;
    onCut();
    client.terminate();
    door.terminate();
  });
  const end = (): void => {
    client.terminate();
    door.terminate();
  };
  for (const socket of [client, door]) socket.on("close", end).on("error", end);
}
