import { RecordsError } from "./records-error.ts";
import type { Session, SessionRows, Sessions } from "./session.ts";
import { watchTransaction } from "./transaction-watch.ts";

/** A lease as it was taken: it is held as long as the records have this token. */
export type HeldLease = { readonly name: string; readonly token: number };

/**
 * A process that is paused inside of a transaction must not keep a lease from being taken over: the server ends the
 * transaction first.
 */
const MOST_IDLE_MS = 3000;
const CHECK = `select set_config('idle_in_transaction_session_timeout', '${MOST_IDLE_MS}', true), (
  select count(*)::integer from (
    select leases.name from leases join unnest($1::text[], $2::bigint[]) as held (name, token)
      on leases.name = held.name and leases.token = held.token
    for share of leases
  ) as found) as found`;

/**
 * Sessions in which nothing is written but under leases. Each write's transaction begins with a look at their tokens and
 * keeps them from being taken until it ends; a write outside of a transaction gets one.
 */
export function leasedSessions(sessions: Sessions, held: readonly HeldLease[]): Sessions {
  return {
    acquire: async () => leasedSession(await sessions.acquire(), held),
    // They are somebody else's.
    close: () => Promise.resolve(),
  };
}

function leasedSession(session: Session, held: readonly HeldLease[]): Session {
  const transaction = watchTransaction();
  const begin = async (text: string): Promise<SessionRows> => {
    const begun = await session.query(text, []);
    await requireHeld(session, held);
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

async function requireHeld(session: Session, held: readonly HeldLease[]): Promise<void> {
  const names = held.map(({ name }) => name);
  const { rows } = await session.query(CHECK, [names, held.map(({ token }) => token)]);
  if (rows[0]?.["found"] === held.length) return;
  throw new RecordsError("lease_lost", `another process has taken ${names.join(", ")} over: nothing is written here`);
}
