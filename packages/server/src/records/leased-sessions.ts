import { RecordsError } from "./records-error.ts";
import type { Session, SessionRows, Sessions } from "./session.ts";
import { watchTransaction } from "./transaction-watch.ts";

/**
 * A leader that is paused inside of a transaction must not keep the lease from being taken over: the server ends the
 * transaction first.
 */
const MOST_IDLE_MS = 3000;
const CHECK = `select set_config('idle_in_transaction_session_timeout', '${MOST_IDLE_MS}', true), (
  select token from leases where name = 'leader' and token = $1 for share) as held`;

/**
 * Sessions in which nothing is written but by the leader. Each write's transaction begins with a look at the lease's token
 * and keeps it from being taken until it ends; a write outside of a transaction gets one.
 */
export function leasedSessions(sessions: Sessions, token: number): Sessions {
  return {
    acquire: async () => leasedSession(await sessions.acquire(), token),
    // They are somebody else's.
    close: () => Promise.resolve(),
  };
}

function leasedSession(session: Session, token: number): Session {
  const transaction = watchTransaction();
  const begin = async (text: string): Promise<SessionRows> => {
    const begun = await session.query(text, []);
    await requireHeld(session, token);
    return begun;
  };
  return {
    release: session.release,
    query: async (text, parameters) => {
      const wasOpen = transaction.isOpen();
      transaction.see(text);
      if (wasOpen || isRead(text)) return session.query(text, parameters);
      if (transaction.isOpen()) return begin(text);
      await begin("begin");
      try {
        const rows = await session.query(text, parameters);
        await session.query("commit", []);
        return rows;
      } catch (error) {
        await session.query("rollback", []).catch(() => undefined);
        throw error;
      }
    },
  };
}

const isRead = (text: string): boolean => /^\s*select\b/i.test(text);

async function requireHeld(session: Session, token: number): Promise<void> {
  const { rows } = await session.query(CHECK, [token]);
  if (rows[0]?.["held"] === null)
    throw new RecordsError("lease_lost", "another process leads: nothing is written here");
}
