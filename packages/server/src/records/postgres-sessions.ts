import postgres from "postgres";
import { toDatabaseError } from "./database-error.ts";
import type { Session, Sessions } from "./session.ts";
import { toCount } from "./to-count.ts";
import { watchTransaction } from "./transaction-watch.ts";

const POOL_SIZE = 10;
const CONNECT_SECONDS = 10;
/** No statement of ours takes longer; a hanging one must not hold a session for ever. */
const STATEMENT_TIMEOUT_MS = 30_000;

const asText = (value: unknown): unknown => value;
const toJsonText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Values are read and written as the embedded database does: counts are numbers, days are text, JSON is sent as text. */
const VALUES = {
  count: { to: 20, from: [20], serialize: String, parse: toCount },
  day: { to: 1082, from: [1082], serialize: asText, parse: asText },
  json: { to: 114, from: [114, 3802], serialize: toJsonText, parse: (text: string): unknown => JSON.parse(text) },
};

type Reserved = { readonly unsafe: postgres.Sql["unsafe"]; readonly release: () => void };

/** Sessions of a PostgreSQL server (15 or newer). */
export function postgresSessions(url: string): Sessions {
  const client = postgres(url, {
    max: POOL_SIZE,
    connect_timeout: CONNECT_SECONDS,
    onnotice: () => {},
    connection: {
      application_name: "almanac",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
    types: VALUES,
  });
  return {
    acquire: async () => toSession(await client.reserve()),
    close: async () => await client.end({ timeout: 5 }),
  };
}

function toSession(reserved: Reserved): Session {
  const transaction = watchTransaction();
  return {
    query: async (text, parameters) => {
      transaction.see(text);
      const result = await reserved.unsafe(text, parameters as never[]).catch(refuse);
      return { rows: [...result], ...affectedBy(result.command, result.count) };
    },
    release: async () => {
      try {
        if (transaction.isOpen()) await reserved.unsafe("rollback");
      } finally {
        reserved.release();
      }
    },
  };
}

function refuse(error: unknown): never {
  throw toDatabaseError(error);
}

function affectedBy(command: string, count: number): { affected?: number } {
  return ["INSERT", "UPDATE", "DELETE", "MERGE"].includes(command) ? { affected: count } : {};
}
