import postgres from "postgres";
import { DatabaseError, toDatabaseError } from "./database-error.ts";
import { RecordsError } from "./records-error.ts";
import type { Session, Sessions } from "./session.ts";
import { toCount } from "./to-count.ts";
import { watchTransaction } from "./transaction-watch.ts";

const POOL_SIZE = 10;
const CONNECT_SECONDS = 10;
const RECONNECT_SECONDS = 0.2;
const WAIT_MS = 15_000;
/** No statement of ours takes longer; a hanging one must not hold a session for ever. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** The server has refused by then; without an answer the connection is given up. */
const ANSWER_MS = STATEMENT_TIMEOUT_MS + 5000;

const asText = (value: unknown): unknown => value;
const toJsonText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Values are read and written as the embedded database does: counts are numbers, days are text, JSON is sent as text. */
const VALUES = {
  count: { to: 20, from: [20], serialize: String, parse: toCount },
  day: { to: 1082, from: [1082], serialize: asText, parse: asText },
  json: { to: 114, from: [114, 3802], serialize: toJsonText, parse: (text: string): unknown => JSON.parse(text) },
};

/** One connection, made when it is first needed and made again after it was lost. */
type Line = { client: postgres.Sql; /** Counts its losses. */ losses: number; readonly renew: () => void };

/**
 * Sessions of a PostgreSQL server (15 or newer). Each has a client of one connection to itself: `reserve` of a pool falls
 * over, or hangs for ever, when the server goes away under a reserved connection.
 */
export function postgresSessions(url: string, answerMs = ANSWER_MS): Sessions {
  const free = Array.from({ length: POOL_SIZE }, () => openLine(url));
  const all = [...free];
  const waiting: ((line: Line) => void)[] = [];
  const leave = (line: Line): void => {
    const next = waiting.shift();
    if (next) next(line);
    else free.push(line);
  };
  const enter = async (): Promise<Line> => {
    const line = free.pop();
    if (line) return line;
    const { promise, resolve, reject } = Promise.withResolvers<Line>();
    const turn = (given: Line): void => {
      clearTimeout(timer);
      resolve(given);
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(turn), 1);
      reject(new RecordsError("busy", `the control records were busy for ${WAIT_MS / 1000} s`));
    }, WAIT_MS);
    waiting.push(turn);
    return await promise;
  };
  return {
    acquire: async () => {
      const line = await enter();
      return toSession(line, answerMs, () => leave(line));
    },
    close: async () => void (await Promise.all(all.map(({ client }) => client.end({ timeout: 5 })))),
  };
}

function openLine(url: string): Line {
  const open = (): postgres.Sql => {
    const client = postgres(url, {
      max: 1,
      max_lifetime: null,
      connect_timeout: CONNECT_SECONDS,
      backoff: () => RECONNECT_SECONDS,
      onnotice: () => {},
      onclose: () => {
        if (line.client === client) line.losses += 1;
      },
      connection: {
        application_name: "almanac",
        statement_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      },
      types: VALUES,
    });
    return client;
  };
  const line: Line = {
    losses: 0,
    client: open(),
    renew: () => {
      void line.client.end({ timeout: 0 }).catch(() => undefined);
      line.losses += 1;
      line.client = open();
    },
  };
  return line;
}

/** Ends with its connection: what follows must not run on another one, outside of its transaction. */
function toSession(line: Line, answerMs: number, leave: () => void): Session {
  const transaction = watchTransaction();
  const { losses } = line;
  return {
    query: async (text, parameters) => {
      if (line.losses !== losses)
        throw new DatabaseError("the connection to the control records was lost", { code: "08006" });
      transaction.see(text);
      const result = await answered(line, line.client.unsafe(text, parameters as never[]), answerMs).catch(refuse);
      return { rows: [...result], ...affectedBy(result.command, result.count) };
    },
    release: async () => {
      try {
        if (transaction.isOpen() && line.losses === losses)
          await answered(line, line.client.unsafe("rollback"), answerMs);
      } finally {
        leave();
      }
    },
  };
}

/** A server that stands still, or a client that forgot a statement when its connection went, must not be waited for. */
async function answered<T>(line: Line, query: Promise<T>, answerMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    line.renew();
    reject(new DatabaseError(`the control records did not answer in ${answerMs / 1000} s`, { code: "08006" }));
  }, answerMs);
  query.catch(() => undefined);
  try {
    return await Promise.race([query, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function refuse(error: unknown): never {
  throw toDatabaseError(error);
}

function affectedBy(command: string, count: number): { affected?: number } {
  return ["INSERT", "UPDATE", "DELETE", "MERGE"].includes(command) ? { affected: count } : {};
}
