import { WebSocketServer, type WebSocket } from "ws";
import { EventLog, type TalkingWorld } from "./event-log.ts";
import { z } from "zod";
import type { IncomingMessage } from "node:http";
import type { JetstreamEvent } from "./jetstream-event.ts";

/** What a subscriber wants to hear; empty sets let everything through. */
interface Wants {
  collections: ReadonlySet<string>;
  /** Beginnings, with their last dot. */
  prefixes: readonly string[];
  dids: ReadonlySet<string>;
  /** Larger events are left out; 0 = none is. */
  most_bytes: number;
}

const COLLECTION = /^[a-zA-Z][a-zA-Z0-9-]*(\.[a-zA-Z0-9-]+)+(\.\*)?$/;
const DID = /^did:[a-z]+:[a-zA-Z0-9._:%-]+$/;

/** As in the query of the handshake and in the payload of `options_update`. */
const wantsWire = z
  .object({
    wantedCollections: z
      .array(z.string().max(320).regex(COLLECTION, "invalid collection"))
      .max(100, "too many wanted collections: 100 at most")
      .default([]),
    wantedDids: z
      .array(z.string().max(2048).regex(DID, "invalid DID"))
      .max(10_000, "too many wanted DIDs: 10,000 at most")
      .default([]),
    maxMessageSizeBytes: z.coerce.number("invalid size").int().default(0),
  })
  .transform((wire): Wants => {
    const patterns = wire.wantedCollections.filter((each) => each.endsWith(".*"));
    return {
      collections: new Set(wire.wantedCollections.filter((each) => !each.endsWith(".*"))),
      prefixes: patterns.map((each) => each.slice(0, -1)),
      dids: new Set(wire.wantedDids),
      most_bytes: Math.max(0, wire.maxMessageSizeBytes),
    };
  });

/** Is it wanted? What is said of accounts comes whatever collections are wanted. */
function isWanted(event: JetstreamEvent, wants: Wants): boolean {
  if (wants.most_bytes > 0 && event.bytes > wants.most_bytes) return false;
  if (wants.dids.size > 0 && !wants.dids.has(event.did)) return false;
  const { collection } = event;
  if (collection === null || wants.collections.size + wants.prefixes.length === 0) return true;
  return wants.collections.has(collection) || wants.prefixes.some((prefix) => collection.startsWith(prefix));
}

interface Handshake {
  wants: Wants;
  /** µs; undefined = from now on. */
  cursor: number | undefined;
  /** Nothing is sent before the first options message. */
  needs_hello: boolean;
}

const cursorWire = z
  .string()
  .regex(/^-?\d{1,18}$/, "invalid cursor")
  .transform(Number);

/** What a subscriber asks for in its address, or the sentence it is refused with. */
function readHandshake(request: IncomingMessage): Handshake | string {
  const query = new URL(request.url ?? "/", "ws://paper").searchParams;
  if (query.get("compress") === "true" || request.headers["socket-encoding"] === "zstd") {
    return "compression is not played here: leave compress away";
  }
  const wants = wantsWire.safeParse({
    wantedCollections: query.getAll("wantedCollections"),
    wantedDids: query.getAll("wantedDids"),
    maxMessageSizeBytes: query.get("maxMessageSizeBytes") ?? undefined,
  });
  if (!wants.success) return z.prettifyError(wants.error);
  const asked = query.get("cursor");
  const cursor = cursorWire.optional().safeParse(asked === null || asked === "" ? undefined : asked);
  if (!cursor.success) return z.prettifyError(cursor.error);
  return { wants: wants.data, cursor: cursor.data, needs_hello: query.get("requireHello") === "true" };
}

/** While so much waits for a reader, nothing more is written to it. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Events looked at for one reader before the others have their turn. */
const MOST_EVENTS = 5000;

const optionsWire = z.object({ type: z.literal("options_update"), payload: wantsWire });

/** One subscriber. */
interface JetstreamClient {
  hear(text: string): void;
  /** Sends what it wants of what it has not been sent. */
  send(): void;
}

/** Begins at the cursor where there is one in the past, else at what comes next; nothing is passed over after that. */
function jetstreamClient(socket: WebSocket, log: EventLog, handshake: Handshake): JetstreamClient {
  let { wants } = handshake;
  let isGreeted = !handshake.needs_hello;
  const { cursor } = handshake;
  let place = cursor === undefined ? log.end : log.placeOf(cursor);
  return {
    hear(text) {
      const options = optionsWire.safeParse(readJson(text));
      if (!options.success) return socket.close(1000, "invalid subscriber options");
      wants = options.data.payload;
      if (!isGreeted && cursor === undefined) place = log.end;
      isGreeted = true;
    },
    send() {
      if (!isGreeted) return;
      place = Math.max(place, log.start);
      const last = Math.min(log.end, place + MOST_EVENTS);
      for (; place < last && socket.bufferedAmount < MOST_WAITING_BYTES; place += 1) {
        const event = log.at(place);
        if (event !== undefined && isWanted(event, wants) && socket.readyState === socket.OPEN) socket.send(event.text);
      }
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

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
