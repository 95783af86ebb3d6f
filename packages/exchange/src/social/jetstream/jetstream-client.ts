import { z } from "zod";
import type { WebSocket } from "ws";
import type { EventLog } from "./event-log.ts";
import type { Handshake } from "./read-handshake.ts";
import { isWanted, wantsWire } from "./read-wants.ts";

/** While so much waits for a reader, nothing more is written to it. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Events looked at for one reader before the others have their turn. */
const MOST_EVENTS = 5000;

const optionsWire = z.object({ type: z.literal("options_update"), payload: wantsWire });

/** One subscriber. */
export interface JetstreamClient {
  hear(text: string): void;
  /** Sends what it wants of what it has not been sent. */
  send(): void;
}

/** Begins at the cursor where there is one in the past, else at what comes next; nothing is passed over after that. */
export function jetstreamClient(socket: WebSocket, log: EventLog, handshake: Handshake): JetstreamClient {
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
