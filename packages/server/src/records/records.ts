import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import { embeddedSessions } from "./embedded-sessions.ts";
import { leasedSessions } from "./leased-sessions.ts";
import { migrate, type Migration, readMigrations } from "./migrate.ts";
import type { RecordsSchema } from "./schema.ts";
import type { Session, Sessions } from "./session.ts";

/** Accounts, keys, plans, cursors, gaps, usage: everything except dataset rows. */
export type Records = {
  readonly db: Kysely<RecordsSchema>;
  /**
   * The same records for the leader with this token: every write is refused (RecordsError "lease_lost") once another
   * process leads.
   */
  readonly under: (token: number) => Kysely<RecordsSchema>;
  readonly close: () => Promise<void>;
};

export type RecordsPlace = { readonly dataDir: string } | { readonly url: string };

/**
 * Opens the control records, migrated to this program's schema: embedded in `dataDir` (PGlite; one process at a time
 * has a folder open), or in PostgreSQL at `url`. Migrates nothing if `mayMigrate` rejects. Throws RecordsError, whose
 * message is for the operator.
 */
export async function openRecords(
  place: RecordsPlace,
  mayMigrate?: (db: Kysely<RecordsSchema>, migrations: readonly Migration[]) => Promise<void>,
): Promise<Records> {
  const migrations = await readMigrations();
  const sessions = "dataDir" in place ? await embeddedSessions(place.dataDir, migrations) : await sessionsAt(place.url);
  const db = recordsOver(sessions);
  try {
    await mayMigrate?.(db, migrations);
    await migrate(db, migrations);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { db, under: (token) => recordsOver(leasedSessions(sessions, token)), close: () => db.destroy() };
}

/** Loads the driver only when used: embedded records do not need it. */
async function sessionsAt(url: string): Promise<Sessions> {
  const { postgresSessions } = await import("./postgres-sessions.ts");
  return postgresSessions(url);
}

/** The records of another process, read through its queries; read-only. */
export function recordsThrough(
  query: (text: string, parameters: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>,
): Kysely<RecordsSchema> {
  const session: Session = {
    query: async (text, parameters) => {
      const rows = await query(text, parameters);
      return { rows, command: "SELECT", rowCount: rows.length };
    },
    release: () => undefined,
  };
  return recordsOver({ acquire: () => Promise.resolve(session), close: () => Promise.resolve() });
}

/** Kysely's PostgreSQL dialect over our sessions, which provide what it needs of a connection pool. */
export function recordsOver({ acquire, close }: Sessions): Kysely<RecordsSchema> {
  const pool = { connect: acquire, end: close, options: {} } as unknown as PostgresPool;
  return new Kysely<RecordsSchema>({ dialect: new PostgresDialect({ pool }) });
}
