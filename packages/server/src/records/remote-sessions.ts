import { connect } from "node:net";
import type { Socket } from "node:net";
import { DatabaseError } from "./database-error.ts";
import type { DoorAnswer, DoorRequest } from "./door-frames.ts";
import { onFrames, sendFrame } from "./frames.ts";
import { openGate } from "./gate.ts";
import { RecordsError } from "./records-error.ts";
import type { Session, SessionRows, Sessions } from "./session.ts";

const WAIT_MS = 15_000;

type Asking = DoorRequest extends infer R ? (R extends { id: number } ? Omit<R, "id"> : never) : never;

/** Sessions of records that another process has open, through its door. Throws RecordsError "unreachable". */
export async function remoteSessions(path: string): Promise<Sessions> {
  const socket = await open(path);
  const ask = caller(socket);
  const gate = openGate();
  return {
    acquire: async () => {
      const leave = await gate.enter(WAIT_MS);
      try {
        await ask({ do: "acquire" });
        return toSession(ask, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    close: async () => {
      socket.destroy();
    },
  };
}

function toSession(ask: (asking: Asking) => Promise<SessionRows>, leave: () => void): Session {
  return {
    query: async (text, parameters) => await ask({ do: "query", text, parameters }),
    release: async () => {
      try {
        await ask({ do: "release" });
      } catch (error) {
        // A door that is gone has rolled the session back by itself.
        if (!(error instanceof RecordsError)) throw error;
      } finally {
        leave();
      }
    },
  };
}

async function open(path: string): Promise<Socket> {
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", (error) => reject(unreachable(error)));
  });
  socket.on("error", () => {});
  return socket;
}

/** Sends requests and pairs the answers; every wait ends with an answer, the socket's end or a time limit. */
function caller(socket: Socket): (asking: Asking) => Promise<SessionRows> {
  const waiting = new Map<number, { resolve: (rows: SessionRows) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  onFrames(socket, (frame) => {
    const { id, result, trouble } = frame as DoorAnswer;
    const call = waiting.get(id);
    waiting.delete(id);
    if (trouble) call?.reject(new DatabaseError(trouble.message, trouble));
    else call?.resolve(result ?? { rows: [] });
  });
  socket.on("close", () => {
    for (const call of waiting.values()) call.reject(unreachable());
    waiting.clear();
  });
  return async (asking) => {
    if (socket.destroyed) throw unreachable();
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers<SessionRows>();
    waiting.set(id, { resolve, reject });
    const timer = setTimeout(() => socket.destroy(), WAIT_MS);
    sendFrame(socket, { ...asking, id } satisfies DoorRequest);
    return await promise.finally(() => clearTimeout(timer));
  };
}

function unreachable(cause?: unknown): RecordsError {
  return new RecordsError("unreachable", "the process that held the control records is gone", cause);
}
