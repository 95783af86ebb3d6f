import {
  AbortedTransactionError,
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from "kysely";
import type { Session, Sessions } from "./session.ts";

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
export function sessionDialect(sessions: Sessions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new SessionDriver(sessions),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
