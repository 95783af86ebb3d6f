import { DatabaseError } from "../../packages/server/src/records/records-error.ts";
import { recordsOver } from "../../packages/server/src/records/records.ts";
import type { Session, Sessions } from "../../packages/server/src/records/session.ts";
import type { DiskMood } from "./disk-mood.ts";
import type { LifeThread } from "./life-thread.ts";

const RECORDS_MS = 1;
const WRITES = /^\s*(insert|update|delete)\b/i;

/** The records of a life; `isHeld`: it has a session at this moment, and nobody else can have one. */
export type LifeRecords = { readonly db: ReturnType<typeof recordsOver>; readonly isHeld: () => boolean };

/**
 * The control records as one life of the service has them: each statement is a step of its thread. What it had begun and
 * not committed when it ended is undone, as by the database that finds its client gone.
 */
export function openLifeRecords(
  shared: Sessions,
  { thread, disk }: { readonly thread: LifeThread; readonly disk: DiskMood },
): LifeRecords {
  const held = new Set<Session>();
  const busy = new Map<Session, Promise<unknown>>();
  const giveUp = async (session: Session): Promise<void> => {
    await busy.get(session)?.catch(() => undefined);
    await session.query("rollback", []).catch(() => undefined);
    session.release();
  };
  thread.onCut(() => {
    for (const session of held) void giveUp(session);
    held.clear();
  });
  const db = recordsOver({
    acquire: async () => {
      await thread.step("before a session");
      const session = await shared.acquire();
      if (!thread.isAlive) session.release();
      else held.add(session);
      await thread.step("behind a session");
      return {
        query: (text, parameters) =>
          thread.over("records", RECORDS_MS, () => {
            if (WRITES.test(text) && disk.isFull())
              return Promise.reject(new DatabaseError("the simulated disk is full", { code: "53100" }));
            const asked = session.query(text, parameters);
            busy.set(session, asked);
            return asked;
          }),
        release: () => {
          if (held.delete(session)) session.release();
        },
      };
    },
    close: () => Promise.resolve(),
  });
  return { db, isHeld: () => held.size > 0 };
}
