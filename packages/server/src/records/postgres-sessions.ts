import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DatabaseError, toDatabaseError, RecordsError } from "./records-error.ts";
import { type Session, type Sessions, toCount } from "./session.ts";

const POOL_SIZE = 10;
/** Longest wait for a free or a new connection. */
const WAIT_MS = 15_000;
const CLOSE_MS = 5000;
/** Shorter than the time after which network devices in between drop an idle connection. */
const IDLE_MS = 60_000;
/** None of our statements takes longer; a hanging one must not hold a session forever. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** The server has cancelled the statement by then; without a reply the connection is dropped. */
const ANSWER_MS = STATEMENT_TIMEOUT_MS + 5000;

const { INT8, DATE } = pg.types.builtins;
const INT8_ARRAY = 1016 as typeof INT8;
const textsOf = pg.types.getTypeParser(INT8_ARRAY) as unknown as (text: string) => string[];

/** Values are parsed as the embedded database parses them: counts are numbers, days are text. */
const READ = new Map<number, (text: string) => unknown>([
  [INT8, toCount],
  [INT8_ARRAY, (text) => textsOf(text).map(toCount)],
  [DATE, (text) => text],
]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => READ.get(oid) ?? pg.types.getTypeParser(oid, format),
};

/** Sessions of a PostgreSQL server (15 or newer), each with its own connection while it is held. */
export function postgresSessions(url: string, answerMs = ANSWER_MS): Sessions {
  const pool = new pg.Pool({
    connectionString: asLibpq(url),
    application_name: "almanac",
    max: POOL_SIZE,
    connectionTimeoutMillis: WAIT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: answerMs,
    types,
  });
  const open = new Set<pg.PoolClient>();
  // The next query on a lost connection reports the error; without listeners it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => open.add(client.on("error", () => {})));
  pool.on("remove", (client) => open.delete(client));
  return {
    acquire: async () => {
      try {
        return toSession(await pool.connect(), answerMs);
      } catch (error) {
        return refuse(error, url);
      }
    },
    close: async () => {
      await Promise.race([pool.end(), sleep(CLOSE_MS, undefined, { ref: false })]);
      await Promise.all([...open].map((client) => client.end()));
    },
  };
}

/** Interprets the URL's `sslmode` as libpq and every other client does. */
function asLibpq(url: string): string {
  const address = new URL(url);
  if (address.searchParams.has("sslmode")) address.searchParams.set("uselibpqcompat", "true");
  return address.href;
}

/** Ends with its connection: later statements are refused, and never run on another one, outside their transaction. */
function toSession(client: pg.PoolClient, answerMs: number): Session {
  let lost: Error | undefined;
  return {
    query: async (text, parameters) => {
      if (lost) throw lost;
      try {
        return await client.query(text, [...parameters]);
      } catch (error) {
        const reported = report(error, answerMs);
        if (isFatal(error)) lost = reported;
        throw reported;
      }
    },
    release: (isBroken) => client.release(lost ?? isBroken),
  };
}

/** Whether the connection is lost: true except for refusals by the server and values that cannot be parsed. */
const isFatal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? error.severity === "FATAL" : !(error instanceof RangeError);

function report(error: unknown, answerMs: number): Error {
  const reported = toDatabaseError(error);
  if (reported instanceof DatabaseError || reported instanceof RangeError) return reported;
  const text = textOf(reported);
  const isLate = text === "Query read timeout";
  const why = isLate ? `did not answer in ${answerMs / 1000} s` : `cannot be reached any more: ${text}`;
  return new DatabaseError(`the control records ${why}`, { code: "08006" });
}

/** Throws for a failed connect: all connections are taken, the server is unreachable, or it refuses. */
function refuse(error: unknown, url: string): never {
  if (error instanceof pg.DatabaseError) throw toDatabaseError(error);
  const text = textOf(error);
  if (text === "timeout exceeded when trying to connect")
    throw new RecordsError("busy", `the control records were busy for ${WAIT_MS / 1000} s`);
  throw new RecordsError(
    "unreachable",
    `the control records at ${new URL(url).host} cannot be reached: ${text}`,
    error,
  );
}

/** A host with several addresses has an error for each, and no message of its own. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
