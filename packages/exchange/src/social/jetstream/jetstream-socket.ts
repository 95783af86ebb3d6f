import { WebSocketServer } from "ws";
import { EventLog, type TalkingWorld } from "./event-log.ts";
import { jetstreamClient, type JetstreamClient } from "./jetstream-client.ts";
import { readHandshake } from "./read-handshake.ts";

/** Settings of Jetstream. */
export interface JetstreamOptions {
  /** How often somebody outside the world does something, real ms; default 500, 0 = never. */
  strangers_every_ms?: number | undefined;
}

/** How often what has happened is sent, real ms. */
const everyMs = 20;
const MOST_MESSAGE_BYTES = 10_000_000;

/** Bluesky's Jetstream v1: a server without a port, to be mounted with `mountSocket`. Rules: reference kalshi-and-social.md B2. */
export function jetstreamSocket(world: TalkingWorld, options: JetstreamOptions = {}): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_MESSAGE_BYTES,
    verifyClient: ({ req }, done) => {
      const handshake = readHandshake(req);
      if (typeof handshake === "string") done(false, 400, handshake);
      else done(true);
    },
  });
  const log = new EventLog(world);
  const clients = new Set<JetstreamClient>();
  let stop: (() => void) | undefined;
  server.on("connection", (socket, request) => {
    log.take();
    const handshake = readHandshake(request);
    // Refused ones do not come so far.
    if (typeof handshake === "string") return socket.close(1008);
    const client = jetstreamClient(socket, log, handshake);
    clients.add(client);
    stop ??= run(log, clients, options.strangers_every_ms ?? 500);
    socket.on("message", (data, isBinary) => client.hear(isBinary ? "" : String(data)));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clients.delete(client);
      if (clients.size > 0) return;
      stop?.();
      stop = undefined;
    });
  });
  return server;
}

/** Sends what happens as long as somebody listens. Returns what ends it. */
function run(log: EventLog, clients: ReadonlySet<JetstreamClient>, strangersEveryMs: number): () => void {
  const sending = setInterval(() => {
    log.take();
    for (const client of clients) client.send();
  }, everyMs);
  const strangers = strangersEveryMs > 0 ? setInterval(() => log.addStranger(), strangersEveryMs) : undefined;
  sending.unref();
  strangers?.unref();
  return () => {
    clearInterval(sending);
    clearInterval(strangers);
  };
}
