import { createHash } from "node:crypto";
import { mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readEndpoint, removeEndpoint, writeEndpoint } from "./endpoint.ts";
import { tryLockFolder } from "./folder-lock.ts";
import type { FolderLock } from "./folder-lock.ts";
import { migrate, requireSameSchema } from "./migrate.ts";
import type { Migration } from "./migrate.ts";
import { pgliteSessions } from "./pglite-sessions.ts";
import { RecordsError } from "./records-error.ts";
import { openRecordsDoor } from "./records-door.ts";
import type { Door } from "./records-door.ts";
import { remoteSessions } from "./remote-sessions.ts";
import type { Session, Sessions } from "./session.ts";

const OPEN_MS = 20_000;
const RETRY_MS = 50;
/** sun_path holds 108 bytes; a deeper data folder gets its socket in the system's temporary folder. */
const MAX_SOCKET_PATH = 100;

export type Embedded = Sessions & { readonly socketPath: string };

/**
 * Records in a data folder. The first process opens the database and shares it; the others reach it through the
 * sharer's door. When the sharer ends, the next one that needs a session opens the database in its place.
 */
export async function embeddedSessions(dataDir: string, migrations: readonly Migration[]): Promise<Embedded> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const place = { dataDir, socketPath: await socketPathFor(dataDir), migrations };
  let current: Promise<Sessions> | undefined = open(place);
  await current;
  let isClosed = false;

  const acquire = async (): Promise<Session> => {
    if (isClosed) throw new RecordsError("unreachable", "the control records are closed");
    const opened = (current ??= open(place));
    try {
      return await (await opened).acquire();
    } catch (error) {
      if (!(error instanceof RecordsError && error.problem === "unreachable")) throw error;
      if (current === opened) current = undefined;
      return await acquire();
    }
  };
  return {
    socketPath: place.socketPath,
    acquire,
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await (await current?.catch(() => undefined))?.close();
    },
  };
}

type Place = { readonly dataDir: string; readonly socketPath: string; readonly migrations: readonly Migration[] };

async function open(place: Place): Promise<Sessions> {
  const deadline = Date.now() + OPEN_MS;
  for (;;) {
    const lock = tryLockFolder(join(place.dataDir, "records.lock"));
    if (lock) return await own(place, lock);
    const reached = await reach(place);
    if (reached) return reached;
    if (Date.now() > deadline) {
      throw new RecordsError(
        "busy",
        `another process has had the control records in ${place.dataDir} open for ${OPEN_MS / 1000} s without sharing them`,
      );
    }
    await sleep(RETRY_MS);
  }
}

async function own(place: Place, lock: FolderLock): Promise<Sessions> {
  let opened: Sessions | undefined;
  try {
    const local = await pgliteSessions(join(place.dataDir, "records"), place.migrations);
    opened = local;
    await migrate(local, place.migrations);
    const door = await openRecordsDoor(place.socketPath, local);
    await writeEndpoint(place.dataDir, {
      pid: process.pid,
      records_socket: place.socketPath,
      started_at: new Date().toISOString(),
    });
    return { acquire: local.acquire, close: () => closeOwn(place, lock, local, door) };
  } catch (error) {
    await opened?.close();
    lock.release();
    throw error;
  }
}

/** The database closes first, in its turn after held sessions: clients then find the door shut and take over. */
async function closeOwn(place: Place, lock: FolderLock, local: Sessions, door: Door): Promise<void> {
  try {
    await local.close();
    await door.close();
    await removeEndpoint(place.dataDir, process.pid);
  } finally {
    lock.release();
  }
}

async function reach(place: Place): Promise<Sessions | undefined> {
  const endpoint = await readEndpoint(place.dataDir);
  if (!endpoint) return undefined;
  const remote = await remoteSessions(endpoint.records_socket).catch(() => undefined);
  if (!remote) return undefined;
  try {
    const session = await remote.acquire();
    try {
      await requireSameSchema(session, place.migrations);
    } finally {
      await session.release();
    }
    return remote;
  } catch (error) {
    await remote.close();
    if (error instanceof RecordsError && error.problem === "unreachable") return undefined;
    throw error;
  }
}

async function socketPathFor(dataDir: string): Promise<string> {
  const real = await realpath(dataDir);
  const inside = join(real, "run", "records.sock");
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH) return inside;
  const mark = createHash("sha256").update(real).digest("hex").slice(0, 16);
  return join(tmpdir(), `almanac-${process.getuid?.() ?? 0}-${mark}`, "records.sock");
}
