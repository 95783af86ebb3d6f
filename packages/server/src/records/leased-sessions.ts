import { RecordsError } from "./records-error.ts";
import type { Session, Sessions, SessionRows } from "./session.ts";

/**
 * A leader paused inside a transaction must not block a takeover of the lease: the server ends the transaction first.
 */
const MAX_IDLE_MS = 3000;
const CHECK = `select set_config('idle_in_transaction_session_timeout', '${MAX_IDLE_MS}', true), (
  select token from leases where name = 'leader' and token = $1 for share) as held`;

/**
 * Sessions in which only the leader can write. Each write transaction first checks the lease's token and locks it
 * against takeover until the end; a write outside a transaction gets one.
 */
export function leasedSessions(sessions: Sessions, token: number): Sessions {
  return {
    acquire: async () => leasedSession(await sessions.acquire(), token),
    // The underlying sessions belong to their opener.
    close: () => Promise.resolve(),
  };
}

const BEGINS = /^(begin|start transaction)\b/;
const ENDS = /^(commit|rollback)\b/;
const READS = /^\s*select\b/i;

function leasedSession(session: Session, token: number): Session {
  let isOpen = false;
  const orRollBack = async <T>(run: Promise<T>): Promise<T> => {
    try {
      return await run;
    } catch (error) {
      await session.query("rollback", []).catch(() => undefined);
      throw error;
    }
  };
  const begin = async (text: string): Promise<SessionRows> => {
    const begun = await session.query(text, []);
    await orRollBack(requireHeld(session, token));
    return begun;
  };
  return {
    release: session.release,
    query: async (text, parameters) => {
      if (BEGINS.test(text)) {
        const begun = await begin(text);
        isOpen = true;
        return begun;
      }
      if (isOpen || READS.test(text)) {
        isOpen &&= !ENDS.test(text);
        return session.query(text, parameters);
      }
      await begin("begin");
      const rows = await orRollBack(session.query(text, parameters));
      await orRollBack(session.query("commit", []));
      return rows;
    },
  };
}

async function requireHeld(session: Session, token: number): Promise<void> {
  const { rows } = await session.query(CHECK, [token]);
  if (rows[0]?.["held"] === null)
    throw new RecordsError("lease_lost", "another process leads: nothing is written here");
}
