import { WebSocketServer, type WebSocket } from "ws";
import { EventLog, type TalkingWorld } from "./event-log.ts";
import { z } from "zod";
import type { IncomingMessage } from "node:http";
import { followClients, mountSocket } from "../../mount-socket.ts";
import type { JetstreamEvent } from "./jetstream-event.ts";
import Fastify, { type FastifyInstance } from "fastify";

const COLLECTION = /^[a-zA-Z][a-zA-Z0-9-]*(\.[a-zA-Z0-9-]+)+$/;

/** Query of the handshake; Jetstream's other options are not simulated. */
const handshakeWire = z.strictObject({
  /** Empty means all collections. */
  wantedCollections: z
    .array(z.string().max(320).regex(COLLECTION, "invalid collection"))
    .max(100, "too many wanted collections: 100 at most")
    .default([]),
  /** µs; if absent, starts with the next event. */
  cursor: z
    .string()
    .regex(/^-?\d{1,18}$/, "invalid cursor")
    .transform(Number)
    .optional(),
});

type Handshake = z.output<typeof handshakeWire>;

/** Raw subscription parameters of the URL, not validated yet. */
function queryOf({ url }: IncomingMessage): object {
  const query = new URL(url ?? "/", "ws://paper").searchParams;
  const collections = query.getAll("wantedCollections");
  return { ...Object.fromEntries(query), ...(collections.length > 0 && { wantedCollections: collections }) };
}

/** Maximum bytes buffered for a reader; above it, sending to it pauses. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Events scanned for one reader per iteration, so that others are served too. */
const MAX_EVENTS = 5000;

/** Sends a subscriber its wanted events that it has not received yet. */
type Feeding = () => void;

/**
 * Starts at the cursor if it is in the past, else at the next event; skips nothing after that. Account and identity
 * events are sent whatever collections are wanted.
 */
function feeding(socket: WebSocket, log: EventLog, { wantedCollections, cursor }: Handshake): Feeding {
  const wanted = new Set(wantedCollections);
  const isWanted = ({ collection }: JetstreamEvent): boolean =>
    collection === null || wanted.size === 0 || wanted.has(collection);
  let place = cursor === undefined ? log.end : log.placeOf(cursor);
  return () => {
    place = Math.max(place, log.start);
    const last = Math.min(log.end, place + MAX_EVENTS);
    for (; place < last && socket.bufferedAmount < MAX_WAITING_BYTES; place += 1) {
      const event = log.at(place);
      if (event !== undefined && isWanted(event) && socket.readyState === socket.OPEN) socket.send(event.text);
    }
  };
}

/** Settings of Jetstream. */
export interface JetstreamOptions {
  /** Interval of events by outside accounts, real ms; default 500, 0 = never. */
  strangers_every_ms?: number | undefined;
}

/** Interval for sending new events, real ms. */
const everyMs = 20;
const MAX_MESSAGE_BYTES = 10_000_000;

/**
 * Bluesky's Jetstream v1: a server without a port, to be mounted with `mountSocket`. Rules: reference
 * kalshi-and-social.md B2.
 */
export function jetstreamSocket(world: TalkingWorld, options: JetstreamOptions = {}): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    verifyClient: ({ req }, done) => {
      const requested = handshakeWire.safeParse(queryOf(req));
      if (requested.success) done(true);
      else done(false, 400, z.prettifyError(requested.error));
    },
  });
  const log = new EventLog(world);
  const open = (socket: WebSocket, request: IncomingMessage): Feeding => {
    log.take();
    return feeding(socket, log, handshakeWire.parse(queryOf(request)));
  };
  followClients(server, open, (clients) => run(log, clients, options.strangers_every_ms ?? 500));
  return server;
}

/** Sends new events while a client is connected. Returns the function that stops it. */
function run(log: EventLog, clients: ReadonlySet<Feeding>, strangersEveryMs: number): () => void {
  const sending = setInterval(() => {
    log.take();
    for (const send of clients) send();
  }, everyMs);
  const strangers = strangersEveryMs > 0 ? setInterval(() => log.addStranger(), strangersEveryMs) : undefined;
  sending.unref();
  strangers?.unref();
  return () => {
    clearInterval(sending);
    clearInterval(strangers);
  };
}

export interface ServeJetstreamOptions extends JetstreamOptions {
  world: TalkingWorld;
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** 0 or absent takes any free port. */
  port?: number | undefined;
  /** Called with the app before the socket is mounted, to install faults. */
  prepare?: ((app: FastifyInstance) => void) | undefined;
}

/** Serves Jetstream on its own port. */
export async function serveJetstream(
  options: ServeJetstreamOptions,
): Promise<{ jetstream_url: string; close(): Promise<void> }> {
  const app = Fastify({ forceCloseConnections: true });
  options.prepare?.(app);
  mountSocket(app, "/subscribe", jetstreamSocket(options.world, options));
  const url = await app.listen({ host: options.host ?? "127.0.0.1", port: options.port ?? 0 });
  return { jetstream_url: `${url.replace(/^http/, "ws")}/subscribe`, close: async () => app.close() };
}
