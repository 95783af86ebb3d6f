import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { dirname } from "node:path";
import { DatabaseError } from "./database-error.ts";
import { onFrames, sendFrame } from "./frames.ts";
import type { DoorAnswer, DoorRequest, DoorTrouble } from "./door-frames.ts";
import { RecordsError } from "./records-error.ts";
import type { Session, Sessions } from "./session.ts";

/** A session of another process that says nothing for so long holds up everybody: it is rolled back and dropped. */
const HELD_IDLE_MS = 5000;
const MAX_CLIENTS = 64;

export type Door = { readonly close: () => Promise<void> };

/** Shares sessions with other processes of the same user over a Unix socket in a folder that only that user may enter. */
export async function openRecordsDoor(path: string, sessions: Sessions): Promise<Door> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await chmod(dirname(path), 0o700);
  await rm(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    serveClient(socket, sessions);
  });
  server.maxConnections = MAX_CLIENTS;
  await listen(server, path);
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of sockets) socket.destroy();
      await closed;
      await rm(path, { force: true });
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => resolve());
  });
}

function serveClient(socket: Socket, sessions: Sessions): void {
  let held: Session | undefined;
  let isGone = false;
  let queue = Promise.resolve();
  const drop = async (): Promise<void> => {
    const session = held;
    held = undefined;
    await session?.release();
  };
  const answer = async (request: DoorRequest): Promise<void> => {
    if (isGone) return;
    try {
      if (request.do === "acquire") held ??= await sessions.acquire();
      else if (request.do === "release") await drop();
      const rows = request.do === "query" ? await requireHeld(held).query(request.text, request.parameters) : undefined;
      sendFrame(socket, { id: request.id, ...(rows ? { result: rows } : {}) } satisfies DoorAnswer);
    } catch (error) {
      // Our own database is closing: the client takes over as soon as its socket ends.
      if (error instanceof RecordsError && error.problem === "unreachable") return void socket.destroy();
      sendFrame(socket, { id: request.id, trouble: toTrouble(error) } satisfies DoorAnswer);
    }
    socket.setTimeout(held ? HELD_IDLE_MS : 0);
  };
  onFrames(socket, (frame) => {
    queue = queue.then(() => answer(frame as DoorRequest));
  });
  socket.on("timeout", () => socket.destroy());
  socket.on("close", () => {
    isGone = true;
    queue = queue.then(drop).catch(() => {});
  });
}

function requireHeld(session: Session | undefined): Session {
  if (!session) throw new Error("no session is held");
  return session;
}

function toTrouble(error: unknown): DoorTrouble {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof DatabaseError)) return { message };
  const { code, constraint, detail } = error;
  return {
    message,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(detail === undefined ? {} : { detail }),
  };
}
