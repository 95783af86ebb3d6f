import { Kysely } from "kysely";
import { embeddedSessions } from "./embedded-sessions.ts";
import { leasedSessions } from "./leased-sessions.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { postgresSessions } from "./postgres-sessions.ts";
import type { RecordsSchema } from "./schema.ts";
import { sessionDialect } from "./session-dialect.ts";
import type { Sessions } from "./session.ts";

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
