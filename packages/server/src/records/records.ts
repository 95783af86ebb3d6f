import {
  Kysely,
  AbortedTransactionError,
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import { embeddedSessions } from "./embedded-sessions.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { postgresSessions } from "./postgres-sessions.ts";
import type { RecordsSchema } from "./schema.ts";
import type { Sessions, Session, SessionRows } from "./session.ts";
import { RecordsError } from "./records-error.ts";
import { watchTransaction } from "./transaction-watch.ts";

class SessionConnection implements DatabaseConnection {
  readonly session: Session;
  hasFailed = false;

  constructor(session: Session) {
    this.session = session;
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const { rows, affected } = await this.session.query(compiled.sql, compiled.parameters);
      return { rows: rows as R[], ...(affected === undefined ? {} : { numAffectedRows: BigInt(affected) }) };
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }

  // eslint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("the control records are small and are not streamed");
  }
}

class SessionDriver implements Driver {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SessionConnection(await this.#sessions.acquire());
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel === undefined ? "" : ` isolation level ${settings.isolationLevel}`;
    const mode = settings.accessMode === undefined ? "" : ` ${settings.accessMode}`;
    await connection.executeQuery(CompiledQuery.raw(`start transaction${level}${mode}`));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    // PostgreSQL answers COMMIT of a failed transaction with a silent rollback.
    if ((connection as SessionConnection).hasFailed) throw new AbortedTransactionError();
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await (connection as SessionConnection).session.release();
  }

  async destroy(): Promise<void> {
    await this.#sessions.close();
  }
}

/** Kysely's PostgreSQL over sessions of ours: one dialect for PostgreSQL, embedded and another process's records. */
function sessionDialect(sessions: Sessions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new SessionDriver(sessions),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

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
function leasedSessions(sessions: Sessions, token: number): Sessions {
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

/** Accounts, keys, plans, cursors, gaps, usage: everything that is not rows for sale. */
export type Records = {
  readonly db: Kysely<RecordsSchema>;
  /**
   * The same records for the leader with this token: every write is refused (RecordsError "lease_lost") once somebody
   * else leads.
   */
  readonly under: (token: number) => Kysely<RecordsSchema>;
  readonly close: () => Promise<void>;
};

export type RecordsPlace = { readonly dataDir: string } | { readonly url: string };

/**
 * Opens the control records, migrated to this program's schema: in `dataDir` embedded (PGlite; one process at a time has a
 * folder open), at `url` in PostgreSQL. Throws RecordsError, whose message is for the operator.
 */
export async function openRecords(place: RecordsPlace): Promise<Records> {
  const migrations = await readMigrations();
  if ("dataDir" in place) return toRecords(await embeddedSessions(place.dataDir, migrations));
  const sessions = postgresSessions(place.url);
  try {
    await migrate(sessions, migrations);
  } catch (error) {
    await sessions.close();
    throw error;
  }
  return toRecords(sessions);
}

function toRecords(sessions: Sessions): Records {
  const db = new Kysely<RecordsSchema>({ dialect: sessionDialect(sessions) });
  return {
    db,
    under: (token) => new Kysely<RecordsSchema>({ dialect: sessionDialect(leasedSessions(sessions, token)) }),
    close: async () => {
      await db.destroy();
      // Kysely destroys a driver only once it was used.
      await sessions.close();
    },
  };
}
